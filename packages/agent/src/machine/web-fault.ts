// Errors of sockets, names and certificates as sentences. Whatever leaves the web has passed here.

import { errorCode } from "../fault/error-code.ts";
import { MachineError } from "./machine.ts";

export function toWebError(cause: unknown, url: string): MachineError {
  if (cause instanceof MachineError) return cause;
  return new MachineError("failed", `Could not fetch ${url}: ${reasonOf(cause)}`, { cause });
}

function reasonOf(cause: unknown): string {
  const code = errorCode(cause) ?? "";
  switch (code) {
    case "ECONNREFUSED":
      return "nothing answers there";
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return "the connection broke off";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "it cannot be reached from here";
    case "ETIMEDOUT":
      return "it does not answer";
  }
  // Several addresses were tried.
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  if (first !== undefined) return reasonOf(first);
  if (code.startsWith("HPE_")) return "what it answers is not HTTP";
  if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI")) return "its compressed answer is damaged";
  if (/CERT|SIGNATURE|TLS|SSL/.test(code)) return `its certificate is not trusted (${code})`;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
}
