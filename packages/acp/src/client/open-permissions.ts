// Permission questions that wait for the person, by session. When the session's turn is cancelled each of them is
// answered `cancelled` at once, whatever their handlers are doing (ACP v1, cancellation).

import { LocalError } from "../error/local-error.ts";
import type { RequestContext } from "../rpc/request-context.ts";
import type { RequestPermissionRequest, RequestPermissionResponse } from "../v1/generated/type.ts";

export type PermissionHandler = (
  params: RequestPermissionRequest,
  context: RequestContext,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

export const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export class OpenPermissions {
  readonly #open = new Map<string, Set<() => void>>();

  ask(
    params: RequestPermissionRequest,
    context: RequestContext,
    handler: PermissionHandler,
  ): Promise<RequestPermissionResponse> {
    const { sessionId } = params;
    return new Promise((resolve, reject) => {
      const waiting = this.#open.get(sessionId) ?? new Set();
      this.#open.set(sessionId, waiting);
      const cancel = (): void => {
        settle();
        resolve(CANCELLED);
        context.cancel(new LocalError("aborted", "the turn was cancelled"));
      };
      const settle = (): void => {
        waiting.delete(cancel);
        if (waiting.size === 0) this.#open.delete(sessionId);
      };
      waiting.add(cancel);
      const asking = new Promise<RequestPermissionResponse>((answer) => answer(handler(params, context)));
      asking.finally(settle).then(resolve, reject);
    });
  }

  cancel(sessionId: string): void {
    for (const cancel of [...(this.#open.get(sessionId) ?? [])]) cancel();
  }
}

/** Where nobody can be asked, nothing is allowed: the narrowest refusal that was offered, else `cancelled`. */
export const refusePermission: PermissionHandler = ({ options }) => {
  const option = options.find(({ kind }) => kind === "reject_once");
  return option === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId: option.optionId } };
};
