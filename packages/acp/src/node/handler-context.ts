// What the ready-made handlers want to know about the request they answer: only whether it still wants an answer.

import { RpcError } from "../error/rpc-error.ts";

export type HandlerContext = { readonly signal: AbortSignal };

export function throwIfCancelled(context: HandlerContext | undefined): void {
  if (context?.signal.aborted) throw RpcError.cancelled();
}

/** Waits for `promise`, but no longer than the request does. The promise itself goes on. */
export function unlessCancelled<T>(promise: Promise<T>, context: HandlerContext | undefined): Promise<T> {
  if (context === undefined) return promise;
  throwIfCancelled(context);
  return new Promise((resolve, reject) => {
    const cancel = () => reject(RpcError.cancelled());
    context.signal.addEventListener("abort", cancel, { once: true });
    promise.then(resolve, reject).finally(() => context.signal.removeEventListener("abort", cancel));
  });
}
