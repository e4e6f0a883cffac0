// What a handler returned or threw, whatever it was: it may be no error, and may not even like to be looked at.

import { RpcError } from "../error/rpc-error.ts";
import type { ErrorObject } from "../stream/frame.ts";

/** The value as a promise if it is one, or acts like one. May throw where its `then` cannot even be read. */
export function toPromise(value: unknown): Promise<unknown> | undefined {
  if (value instanceof Promise) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return typeof (value as { then?: unknown }).then === "function" ? Promise.resolve(value) : undefined;
}

/** What went wrong, in words, whatever was thrown: it may be no error, and may not even like to be looked at. */
export function describe(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "something that cannot be described was thrown";
  }
}

export function toRpcError(cause: unknown): RpcError {
  const reason = describe(cause);
  return RpcError.internal(reason === "" ? "Internal error" : `Internal error: ${reason}`);
}

export function toErrorObject({ code, message, data }: RpcError): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}
