// A wire whose messages are handled in the order they came. The protocol library handles an answer at once and a
// notification a moment later, so progress that came just before its answer would be lost.

import { isWireMessage, type Wire } from "./wire.ts";

/** The same wire, whose callback is set afterwards. `received` sees each message when it comes. */
export function inOrder<T extends Wire>(wire: T, received: (message: unknown) => void = () => {}): T {
  const waiting: (readonly [message: unknown, extra: unknown])[] = [];
  let handle: ((message: never, extra?: never) => void) | undefined;
  let isPaused = false;
  let wasNotification = false;

  const drain = (): void => {
    while (waiting.length > 0 && !isPaused) {
      const [message, extra] = waiting[0] as (typeof waiting)[number];
      if (wasNotification && !isNotification(message)) {
        isPaused = true;
        wasNotification = false;
        setImmediate(() => {
          isPaused = false;
          drain();
        });
        return;
      }
      waiting.shift();
      wasNotification = isNotification(message);
      handle?.(message as never, extra as never);
    }
  };

  Object.defineProperty(wire, "onmessage", {
    configurable: true,
    get: () => (handle === undefined ? undefined : receive),
    set: (next: typeof handle) => {
      handle = next;
    },
  });
  const receive = (message: never, extra?: never): void => {
    received(message);
    waiting.push([message, extra]);
    drain();
  };
  return wire;
}

function isNotification(message: unknown): boolean {
  return isWireMessage(message) && message.method !== undefined && message.id === undefined;
}
