// Whatever a provider, a library or a connection throws, as a fault: what a person reads, and whether to try again.

import { type Fault, fault } from "../fault/fault.ts";
import { OverlongError } from "./event-bound.ts";
import { causesOf, type Failure, readFailure } from "./failure.ts";
import { isOverflow } from "./overflow.ts";
import { PlainAnswerError } from "./plain-answer.ts";
import type { Provider } from "./provider.ts";
import { redactFor } from "./redact.ts";
import { retryAfterMs } from "./retry-after.ts";
import { StallError } from "./stall.ts";

const MAX_SENTENCE = 500;

/** `model` is the model's name as the provider knows it. */
export function toFault(thrown: unknown, provider: Provider, model: string, now: number = Date.now()): Fault {
  const found = judge(thrown, provider, model, now);
  // Once more: with its white space folded, a sentence may say what it did not say before.
  return { ...found, message: redactFor(provider, found.message) };
}

/** Before anything is sent: there is no key to send. */
export function missingKey(provider: Provider): Fault {
  return fault("auth", `${provider.name} needs a key: set ${provider.keyVariable}.`);
}

/** Before anything is sent: what is there instead of a key could not be sent. */
export function badKey(provider: Provider): Fault {
  const problem = "it has white space in it, or letters that no key has";
  return fault(
    "auth",
    `The key in ${provider.keyVariable} is not used: ${problem}. Set ${provider.keyVariable} again.`,
  );
}

function judge(thrown: unknown, provider: Provider, model: string, now: number): Fault {
  const own = ownFailure(causesOf(thrown), provider);
  return own ?? judgeFailure(clean(readFailure(thrown), provider), provider, model, now);
}

/** What we found out ourselves. */
function ownFailure(causes: readonly unknown[], provider: Provider): Fault | undefined {
  for (const cause of causes) {
    if (cause instanceof StallError) return stall(cause, provider);
    if (cause instanceof OverlongError) {
      const message = `${provider.name} sent something that cannot be understood: ${cause.message}.`;
      return fault("model", message, { retryable: false });
    }
    if (cause instanceof PlainAnswerError && cause.kind === "page") {
      const message = `${provider.name} answered with a web page instead of an answer; check the address (${hostOf(provider)}), and whether somebody in between wants you to log in.`;
      return fault("bad-request", message);
    }
    if (cause instanceof PlainAnswerError && cause.kind === "whole") {
      const message = `${provider.name} at ${hostOf(provider)} does not stream its answers, and only streamed ones are read in this protocol.`;
      return fault("bad-request", message);
    }
  }
  return undefined;
}

/** Without secrets from here on: later, sentences are folded and cut. */
function clean(failure: Failure, provider: Provider): Failure {
  return {
    ...failure,
    codes: redactFor(provider, failure.codes),
    sentence: redactFor(provider, failure.sentence),
  };
}

function judgeFailure(failure: Failure, provider: Provider, model: string, now: number): Fault {
  const cause = toCause(failure);
  const said = `${failure.codes} ${failure.sentence}`.toLowerCase();
  const own = quote(failure.sentence);
  const status = failure.status ?? statusOf(failure.codes, said);
  const kind = kindOf(status, said, failure);
  switch (kind) {
    case "key":
      return fault("auth", refusedKey(status, own, provider), { cause });
    case "credit":
      return fault(
        "rate-limit",
        `There is no credit or quota left at ${provider.name}.${own} Trying again will not help.`,
        {
          retryable: false,
          cause,
        },
      );
    case "rate": {
      const retryable = !/request too large/.test(said);
      const wait = retryAfterMs(failure.headers, failure.body, now);
      return fault("rate-limit", `${provider.name} limits how much may be asked.${own}`, {
        retryable,
        ...after(wait),
        cause,
      });
    }
    case "overflow":
      return fault("overflow", `The conversation does not fit ${model}.${own}`, { cause });
    case "busy": {
      const wait = retryAfterMs(failure.headers, failure.body, now);
      return fault("overloaded", `${provider.name} cannot answer now${inBrackets(status)}.${own}`, {
        ...after(wait),
        cause,
      });
    }
    case "slow":
      return fault("stalled", `${provider.name} did not answer in time.`, { cause });
    case "network":
      return unreachable(failure, provider, cause);
    case "no-model": {
      const where = `Check the name, and the address (${hostOf(provider)}).`;
      return fault("bad-request", `${provider.name} knows no model "${model}"${inBrackets(status)}.${own} ${where}`, {
        cause,
      });
    }
    case "refused":
      return fault("bad-request", `${provider.name} refuses the request${inBrackets(status)}.${own}`, { cause });
    case "nonsense":
      return fault("model", `${provider.name} sent something that cannot be understood.${own}`, {
        retryable: true,
        cause,
      });
    case "unknown":
      return fault("internal", `The request to ${provider.name} failed.${own}`, { cause });
  }
}

type Kind =
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

function kindOf(status: number | undefined, said: string, failure: Failure): Kind {
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

function kindWithoutStatus(said: string): Kind {
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
function statusOf(codes: string, said: string): number | undefined {
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

function refusedKey(status: number | undefined, own: string, provider: Provider): string {
  const place = isUsualHost(provider) ? "" : ` at ${hostOf(provider)}`;
  if (provider.apiKey === undefined || provider.apiKey === "") {
    return `${provider.name}${place} wants a key${inBrackets(status)}, and there is none: set ${provider.keyVariable}.${own}`;
  }
  const what = status === 403 ? "refuses access with" : "refuses";
  return `${provider.name}${place} ${what} the key in ${provider.keyVariable}${inBrackets(status)}.${own}`;
}

function stall(stalled: StallError, provider: Provider): Fault {
  const seconds = Math.max(1, Math.round(stalled.waitedMs / 1000));
  const message = stalled.hadBegun
    ? `${provider.name} fell silent in the middle of its answer: nothing came for ${seconds} s.`
    : `${provider.name} did not begin to answer within ${seconds} s.`;
  return fault("stalled", message, { cause: { waitedMs: stalled.waitedMs } });
}

function unreachable(failure: Failure, provider: Provider, cause: unknown): Fault {
  const host = hostOf(provider);
  const codes = `${failure.codes} ${failure.sentence}`;
  const code = /\b(E[A-Z]{4,}|E[A-Z]+_[A-Z_]+|UND_ERR_\w+|[A-Z]+_[A-Z_]*CERT\w*|CERT_\w+|UNABLE_TO_\w+)\b/.exec(
    codes,
  )?.[1];
  const why = code === undefined ? "" : ` (${code})`;
  if (failure.proxy !== undefined) {
    return fault(
      "network",
      `The proxy ${failure.proxy} does not answer${why}. Check it, or the variable that names it.`,
      {
        cause,
      },
    );
  }
  if (/(?:\b|_)cert(?:ificate)?s?(?:\b|_)|self.signed|unable_to_|err_tls|err_ssl/i.test(codes)) {
    const advice = "If a proxy of your own signs it, name its certificate file.";
    return fault("network", `The certificate of ${host} is not trusted${why}. ${advice}`, { retryable: false, cause });
  }
  if (code === "ENOENT")
    return fault("network", `A file is missing:${quote(failure.sentence)}`, { retryable: false, cause });
  if (/econnrefused/i.test(codes) && isLoopback(provider)) {
    return fault("network", `Nothing answers at ${host}${why}: is the server running?`, { cause });
  }
  if (/econnreset|socket|\bterminated\b|closed|epipe|premature/i.test(codes)) {
    return fault("network", `The connection to ${host} broke${why}.`, { cause });
  }
  return fault("network", `${host} cannot be reached${why}. Check the network, and the address.`, { cause });
}

function hostOf(provider: Provider): string {
  if (!URL.canParse(provider.baseUrl)) return "an unknown place";
  const url = new URL(provider.baseUrl);
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

function isUsualHost(provider: Provider): boolean {
  const host = hostOf(provider);
  return host.includes(provider.id) || (/^(google|gemini)$/.test(provider.id) && host.includes(".googleapis.com"));
}

function isLoopback(provider: Provider): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|.*\.localhost):/.test(hostOf(provider));
}

function quote(sentence: string): string {
  const line = sentence.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const bound = line.length > MAX_SENTENCE ? `${line.slice(0, MAX_SENTENCE - 1)}…` : line;
  return ` ${/[.!?…]$/.test(bound) ? bound : `${bound}.`}`;
}

function inBrackets(status: number | undefined): string {
  return status === undefined ? "" : ` (${status})`;
}

function after(ms: number | undefined): { retryAfterMs?: number } {
  return ms === undefined ? {} : { retryAfterMs: ms };
}

/** Small: a cause may be written down. */
function toCause({ status, codes, sentence }: Failure): unknown {
  return {
    ...(status !== undefined && { status }),
    codes: codes.slice(0, 200),
    sentence: sentence.slice(0, MAX_SENTENCE),
  };
}
