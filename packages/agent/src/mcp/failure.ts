// What went wrong with a server or a call to it, in a few kinds that decide what happens next and a sentence for people.
// Errors are known by their marks: the protocol library is not loaded to look at them.

import { fieldOf } from "../json/fields.ts";
import { borderBefore } from "../tool/cut.ts";
import { NotSent } from "./wire.ts";

/**
 * - `unsent`: it surely did not reach the server, and may be sent again
 * - `dropped`: the connection went; whether the server did it, nobody knows
 * - `auth`: the server wants other credentials; trying again does not help
 * - `timeout`, `cancelled`: we no longer wanted to wait
 * - `refused`: the server answered, with an error
 */
export type FailureKind = "unsent" | "dropped" | "auth" | "timeout" | "cancelled" | "refused";

export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, why: string) {
    super(why);
    this.kind = kind;
  }
}

const MAX_WHY_CHARS = 600;

/** Before a connection is there: nobody has read a word of it. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be looked up",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no network",
  ETIMEDOUT: "the host does not answer",
  UND_ERR_CONNECT_TIMEOUT: "the host does not answer",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const why = sentence(error);
  if (error instanceof NotSent) return new Failure("unsent", why);
  const status = statusOf(error);
  if (status !== undefined) return ofStatus(status, why);
  const code = fieldOf(error, "code");
  if (fieldOf(error, "name") === "UnauthorizedError") return new Failure("auth", "it wants authorization");
  if (code === "REQUEST_TIMEOUT") return new Failure("timeout", why);
  if (code === "CONNECTION_CLOSED") return new Failure("dropped", "the connection was closed");
  if (code === "NOT_CONNECTED" || why === "Not connected") return new Failure("unsent", "it is not connected");
  return ofNetwork(error) ?? new Failure("refused", why + named(code));
}

/** The codes of JSON-RPC 2.0; the others are the server's own. */
const ANSWERED: Readonly<Record<number, string>> = {
  [-32700]: "parse error",
  [-32600]: "invalid request",
  [-32601]: "unknown method",
  [-32602]: "invalid parameters",
  [-32603]: "internal error",
};

/** What everybody answers who has no better code. */
const ANY_ERROR = -32000;

function named(code: unknown): string {
  if (typeof code !== "number" || code === ANY_ERROR) return "";
  const name = ANSWERED[code];
  return name === undefined ? ` (error ${code})` : ` (error ${code}, ${name})`;
}

function ofStatus(status: number, why: string): Failure {
  if (status === 401 || status === 403) {
    return new Failure("auth", `it refuses our credentials (HTTP ${status}): check its headers, or sign in`);
  }
  // A session the server no longer knows, and a call it therefore did not look at.
  if (status === 404) return new Failure("unsent", "it does not know this address or session (HTTP 404)");
  const isSessionGone = status === 400 && /\bsession\b/i.test(why);
  return new Failure(isSessionGone ? "unsent" : "refused", `HTTP ${status}: ${withoutEnvelope(why)}`);
}

/** What the library says around the answer, and the answer around its message, tell nobody anything. */
function withoutEnvelope(why: string): string {
  const body = why.replace(/^Error POSTing to endpoint(?: \(HTTP \d+\))?:\s*/, "");
  try {
    const message = fieldOf(fieldOf(JSON.parse(body), "error"), "message");
    return typeof message === "string" ? message : body;
  } catch {
    return body;
  }
}

function ofNetwork(error: unknown): Failure | undefined {
  for (let cause = error, depth = 0; cause !== undefined && depth < 5; cause = fieldOf(cause, "cause"), depth++) {
    const code = fieldOf(cause, "code") ?? codeIn(fieldOf(cause, "message"));
    const unreached = typeof code === "string" ? UNREACHED[code] : undefined;
    if (unreached !== undefined) return new Failure("unsent", `${unreached} (${code})`);
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) {
      return new Failure("dropped", `the connection broke (${code})`);
    }
  }
  return fieldOf(error, "message") === "fetch failed" ? new Failure("dropped", "the connection broke") : undefined;
}

/** The library for event streams keeps only the sentence. */
function codeIn(message: unknown): string | undefined {
  return typeof message === "string"
    ? /fetch failed.*\b(E[A-Z]{4,}|UND_ERR_\w+|CERT_\w+)\b/.exec(message)?.[1]
    : undefined;
}

/** Of an answer over HTTP that was an error, wherever the library keeps it. */
function statusOf(error: unknown): number | undefined {
  const status = fieldOf(fieldOf(error, "data"), "status") ?? fieldOf(error, "status");
  if (typeof status === "number") return status;
  const code = fieldOf(error, "code");
  if (typeof code === "number" && fieldOf(error, "event") !== undefined) return code;
  const told = /\(HTTP (\d{3})\)/.exec(String(fieldOf(error, "message") ?? ""))?.[1];
  return told === undefined ? undefined : Number(told);
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(message || "it gave no reason");
}

/** Short enough for a notice; servers send whole pages. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_WHY_CHARS ? line : `${line.slice(0, borderBefore(line, MAX_WHY_CHARS))}…`;
}
