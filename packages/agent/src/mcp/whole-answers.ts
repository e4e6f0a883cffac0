// Streamable HTTP answers each request on a stream of its own. One that ends without an answer would leave the call waiting
// for ever, as the protocol library does not tell; here it gets one.

import { inOrder } from "./in-order.ts";
import type { Wire, WireMessage } from "./wire.ts";

type RequestId = Extract<WireMessage, { readonly method: string; readonly id: unknown }>["id"];

/** The same wire. */
export function withWholeAnswers<T extends Wire>(wire: T): T {
  const open = new Set<unknown>();
  const send = wire.send.bind(wire);
  const ordered = inOrder(wire, (message) => {
    if (!("method" in message)) open.delete(message.id);
  });

  wire.send = async (message, options) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined) return send(message, options);
    open.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (open.delete(id)) ordered.onmessage?.(noAnswer(id));
    };
    try {
      await send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
  return wire;
}

function noAnswer(id: RequestId): WireMessage {
  return { jsonrpc: "2.0", id, error: { code: -32000, message: "the connection ended before there was an answer" } };
}
