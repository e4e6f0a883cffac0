// A session that a client wants, or the error that says why it cannot have it.

import { RpcError } from "@agentao/acp";
import type { Opened } from "../session/runtime.ts";
import type { Session } from "../session/session.ts";
import { bounded, toRpcError } from "./to-rpc-error.ts";

export function openedSession(opened: Opened, method: string, id = ""): Session {
  switch (opened.type) {
    case "opened":
      return opened.session;
    case "missing":
      throw notFound(id);
    case "active":
      throw RpcError.invalidRequest(`${method}: session '${bounded(id, 200)}' is already active`);
    case "bad-place":
      throw RpcError.invalidParams(`Invalid params: ${method}.${bounded(opened.problem, 500)}`);
    case "failed":
      throw toRpcError(opened.fault);
  }
}

export function notFound(sessionId: string): RpcError {
  return RpcError.resourceNotFound(`Session not found: ${bounded(sessionId, 200)}`, {
    sessionId: bounded(sessionId, 200),
  });
}
