// What kind of failure it is, by its status where it has one and by the words of many providers where it has none.

import type { Failure } from "./failure.ts";
import { isOverflow } from "./overflow.ts";

export type FailureKind =
  | "key"
  | "credit"
  | "rate"
  | "overflow"
  | "busy"
  | "slow"
  | "network"
  | "no-model"
  | "refused"
  | "nonsense"
  | "unknown";

/** `said` is what it says and its codes, in lower case; `status` is its own, or one that its words stand for. */
export function kindOf(status: number | undefined, said: string, failure: Failure): FailureKind {
  if (status === undefined) return kindWithoutStatus(said);
  const isRate = /rate[_ -]?limit|per minute|tokens per|requests per|too many requests|throttl/.test(said);
  if (status === 402 || isOutOfCredit(said, failure)) return "credit";
  if (status === 401 || isBadKey(said)) return "key";
  if (status === 429 || (isRate && status !== 403)) return "rate";
  if (isOverflow(status, said)) return "overflow";
  if (status === 403) return "key";
  if (status === 404 || isUnknownModel(said)) return "no-model";
  if (status === 408 || status === 409 || status === 425 || status >= 500) return "busy";
  return "refused";
}

function kindWithoutStatus(said: string): FailureKind {
  if (/und_err_(headers|body)_timeout/.test(said)) return "slow";
  if (/\bplainanswererror\b/.test(said)) return isOverflow(undefined, said) ? "overflow" : "refused";
  if (NETWORK.test(said)) return "network";
  if (isOverflow(undefined, said)) return "overflow";
  if (/ai_(jsonparse|typevalidation|invalidresponsedata|emptyresponsebody|nocontentgenerated)/.test(said))
    return "nonsense";
  if (/ai_(unsupportedfunctionality|invalidprompt|invalidargument|typevalidation)/.test(said)) return "refused";
  return "unknown";
}

const NETWORK =
  /econn|enotfound|eai_again|ehostunreach|enetunreach|enetdown|epipe|etimedout|eproto|und_err_(socket|connect|closed|aborted)|fetch failed|socket hang up|other side closed|\bterminated\b|premature close|cannot connect|network|(?:\b|_)cert(?:ificate)?s?(?:\b|_)|self.signed|unable_to|err_tls|err_ssl|enoent|proxy response|\bproxyerror\b/;

/** Gemini calls every limit a quota; those that pass say when. */
function isOutOfCredit(said: string, failure: Failure): boolean {
  if (/"retrydelay"/i.test(failure.body)) return false;
  return /insufficient[_ ](quota|balance|credit|funds)|exceeded your current quota|credit balance is too low|billing_hard_limit|out of credits?|requires more credits|billing_not_active|payment required/.test(
    said,
  );
}

function isBadKey(said: string): boolean {
  return /api[_ ]key[_ ](not valid|invalid)|invalid (x-)?api[- _]key|invalid_api_key|incorrect api key|authentication_error|unauthenticated|api key expired/.test(
    said,
  );
}

function isUnknownModel(said: string): boolean {
  return /model_not_found|model[^.]{0,80}(does not exist|not found|is not available|not a valid model|unknown)|(not a valid|unknown|invalid|no such) model/.test(
    said,
  );
}

/** Errors in the middle of a stream come without a status, or with one as a code. */
export function statusOf(codes: string, said: string): number | undefined {
  const code = /(?:^|\s)([45]\d\d)(?=\s|$)/.exec(codes)?.[1];
  if (code !== undefined) return Number(code);
  for (const [sign, status] of STATUS_SIGNS) if (sign.test(said)) return status;
  const digits = /(?:^|\s)([45]\d\d)(?=\s|$)/.exec(said)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const STATUS_SIGNS: readonly (readonly [RegExp, number])[] = [
  [/overloaded_error|overloaded|service_unavailable|server_is_overloaded|unavailable\b/, 529],
  [/rate_limit|resource_exhausted|too_many_requests|insufficient_quota/, 429],
  [/authentication_error|invalid_api_key|unauthenticated/, 401],
  [/permission_error|permission_denied/, 403],
  [/not_found_error|model_not_found/, 404],
  [/request_too_large/, 413],
  [/invalid_request_error|invalid_argument|failed_precondition|invalid_prompt|context_length_exceeded/, 400],
  [/api_error|server_error|internal_error|internal_server_error|timeout_error|deadline_exceeded|\binternal\b/, 500],
];
