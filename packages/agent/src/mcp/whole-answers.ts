// Streamable HTTP answers each request on a stream of its own. One that ends without an answer would leave the call waiting
// for ever, as the protocol library does not tell; here it gets one.

import { inOrder } from "./in-order.ts";
import { isWireMessage, type Wire } from "./wire.ts";

interface SendOptions {
  readonly onRequestStreamEnd?: (() => void) | undefined;
}

export interface HttpWire extends Omit<Wire, "send"> {
  send(message: unknown, options?: SendOptions): Promise<void>;
}

/** The same wire. */
export function withWholeAnswers<T extends HttpWire>(wire: T): T {
  const open = new Set<unknown>();
  const send = wire.send.bind(wire);
  const ordered = inOrder(wire as unknown as Wire, (message) => {
    if (isWireMessage(message) && message.method === undefined) open.delete(message.id);
  });

  wire.send = async (message, options) => {
    const id = isWireMessage(message) && message.method !== undefined ? message.id : undefined;
    if (id === undefined || id === null) return send(message, options);
    open.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (open.delete(id)) ordered.onmessage?.(noAnswer(id) as never);
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

function noAnswer(id: unknown): object {
  return { jsonrpc: "2.0", id, error: { code: -32000, message: "the connection ended before there was an answer" } };
}
