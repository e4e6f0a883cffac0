// The one error that crosses the wire.

import { isBranded } from "./brand.ts";

/** The codes ACP v1 gives a meaning. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
} as const;

const RPC_ERROR = Symbol.for("@agentao/acp/RpcError");

/** An error that travels: thrown by a handler it becomes the response, received it rejects the request. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  // Also one that another copy of this library made: the entry points may be bundled apart.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, RPC_ERROR);
  }

  readonly [RPC_ERROR] = true;
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    if (!Number.isInteger(code)) throw new TypeError("the code of an RpcError is an integer");
    this.code = code;
    this.data = data;
  }

  static parseError(message = "Parse error", data?: unknown): RpcError {
    return new RpcError(errorCodes.parseError, message, data);
  }

  static invalidRequest(message = "Invalid request", data?: unknown): RpcError {
    return new RpcError(errorCodes.invalidRequest, message, data);
  }

  static methodNotFound(method: string): RpcError {
    // The name came from the peer and may be of any length.
    const name = method.length > 100 ? `${method.slice(0, 100)}…` : method;
    return new RpcError(errorCodes.methodNotFound, `Method not found: ${name}`, { method: name });
  }

  static invalidParams(message = "Invalid params", data?: unknown): RpcError {
    return new RpcError(errorCodes.invalidParams, message, data);
  }

  static internal(message = "Internal error", data?: unknown, options?: ErrorOptions): RpcError {
    return new RpcError(errorCodes.internalError, message, data, options);
  }

  static cancelled(message = "Request cancelled"): RpcError {
    return new RpcError(errorCodes.requestCancelled, message);
  }

  static authRequired(message = "Authentication required", data?: unknown): RpcError {
    return new RpcError(errorCodes.authRequired, message, data);
  }

  static resourceNotFound(message = "Resource not found", data?: unknown): RpcError {
    return new RpcError(errorCodes.resourceNotFound, message, data);
  }
}
