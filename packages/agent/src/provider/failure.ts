// What went wrong, read out of whatever was thrown or streamed: a status, a code, the provider's own sentence. No
// judgement here; `to-fault` judges.

import { type Fields, fieldOf, isFields } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { ProxyError } from "./proxy.ts";

export interface Failure {
  readonly status: number | undefined;
  /** `insufficient_quota`, `overloaded_error`, `ECONNREFUSED`…: everything that looks like one, separated by spaces. */
  readonly codes: string;
  /** As the provider or the connection puts it. */
  readonly sentence: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The host of the proxy on the way, where that is what failed. */
  readonly proxy?: string | undefined;
}

const MAX_DEPTH = 6;
/** What is longer is a page or a dump, not a sentence. */
const MAX_PLAIN = 2_000;

export function readFailure(thrown: unknown): Failure {
  const chain = causesOf(thrown);
  const status = chain.map((cause) => toStatus(cause)).find((found) => found !== undefined);
  const body = chain.map((cause) => cause.responseBody).find((found) => typeof found === "string" && found !== "");
  const text = typeof body === "string" ? body : "";
  const plain = isMarkup(text) || text.length > MAX_PLAIN ? undefined : text;
  const said = [parseJson(text) ?? plain, ...chain.flatMap((cause) => [cause.data, cause.value, cause])];
  const sentences = said.map(sentenceOf).filter((found) => found !== undefined);
  const codes = new Set([...said.flatMap(codesOf), ...chain.flatMap(codesOf)]);
  const headers = chain.map((cause) => cause.responseHeaders).find((found) => typeof found === "object");
  const proxy = chain.find((cause) => cause instanceof ProxyError)?.host;
  return {
    status,
    codes: [...codes].join(" "),
    sentence: sentences[0] ?? "",
    headers: (headers ?? {}) as Record<string, string>,
    body: text,
    ...(typeof proxy === "string" && { proxy }),
  };
}

/** The thing itself, then why, and why that. */
export function causesOf(thrown: unknown): Fields[] {
  const chain: Fields[] = [];
  let next: unknown = thrown;
  while (chain.length < MAX_DEPTH && isFields(next) && !chain.includes(next)) {
    chain.push(next);
    next = next.cause ?? (Array.isArray(next.errors) ? next.errors[0] : undefined);
  }
  if (chain.length === 0) chain.push({ message: String(thrown) });
  return chain;
}

function toStatus(cause: Fields): number | undefined {
  for (const name of ["statusCode", "status"]) {
    const value = cause[name];
    if (typeof value === "number" && value >= 400 && value <= 599) return value;
  }
  return undefined;
}

/** Providers wrap their sentence in many ways: `error.message`, `error`, `message`, `detail`, a list of one of these. */
function sentenceOf(said: unknown, depth = 0): string | undefined {
  if (typeof said === "string") return said.trim() || undefined;
  if (depth > 4) return undefined;
  if (Array.isArray(said)) return sentenceOf(said[0], depth + 1);
  // OpenRouter keeps what the provider behind it said in the metadata.
  const raw = fieldOf(fieldOf(said, "metadata"), "raw");
  const inner = typeof raw !== "string" ? undefined : (sentenceOf(parseJson(raw), depth + 1) ?? raw);
  for (const name of ["error", "message", "detail", "error_message", "msg", "errors", "response"]) {
    const found = sentenceOf(fieldOf(said, name), depth + 1);
    if (found !== undefined) return inner !== undefined && inner !== found ? `${found}: ${inner}` : found;
  }
  return inner;
}

function codesOf(said: unknown, depth = 0): string[] {
  if (depth > 4) return [];
  if (Array.isArray(said)) return said.slice(0, 4).flatMap((item) => codesOf(item, depth + 1));
  const codes: string[] = [];
  for (const name of ["code", "type", "status", "name", "reason"]) {
    const value = fieldOf(said, name);
    if (typeof value === "string" || typeof value === "number") codes.push(String(value));
  }
  for (const name of ["error", "details", "response"]) codes.push(...codesOf(fieldOf(said, name), depth + 1));
  return codes;
}

function isMarkup(text: string): boolean {
  return /^\s*</.test(text);
}
