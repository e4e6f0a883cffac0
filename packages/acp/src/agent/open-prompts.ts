// Prompts that are being answered, by session. Cancelling a session aborts their contexts, and from then on whatever
// the handler does ends in the stop reason `cancelled`, never in an error (ACP v1, cancellation).

import { LocalError } from "../error/local-error.ts";
import type { RequestContext } from "../rpc/request-context.ts";
import type { PromptResponse } from "../v1/generated/type.ts";

export class OpenPrompts {
  readonly #open = new Map<string, Set<RequestContext>>();

  async run(sessionId: string, context: RequestContext, handle: () => unknown): Promise<unknown> {
    const contexts = this.#open.get(sessionId) ?? new Set();
    contexts.add(context);
    this.#open.set(sessionId, contexts);
    try {
      return await handle();
    } catch (cause) {
      if (!context.cancelled) throw cause;
      return { stopReason: "cancelled" } satisfies PromptResponse;
    } finally {
      contexts.delete(context);
      if (contexts.size === 0) this.#open.delete(sessionId);
    }
  }

  cancel(sessionId: string): void {
    const reason = new LocalError("aborted", "the client cancelled the turn");
    for (const context of this.#open.get(sessionId) ?? []) context.cancel(reason);
  }
}
