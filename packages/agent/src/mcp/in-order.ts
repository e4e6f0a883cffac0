// A wire whose messages are handled in the order they came. The protocol library handles an answer at once and a
// notification a moment later, so progress that came just before its answer would be lost.

import type { Wire, WireMessage } from "./wire.ts";

type Handle = NonNullable<Wire["onmessage"]>;
type Received = Parameters<Handle>;

/** The same wire, whose callback is set afterwards. `received` sees each message when it comes. */
export function inOrder<T extends Wire>(wire: T, received: (message: WireMessage) => void = () => {}): T {
  const waiting: Received[] = [];
  let handle: Handle | undefined;
  let isPaused = false;
  let wasNotification = false;

  const drain = (): void => {
    for (let [next] = waiting; next !== undefined && !isPaused; [next] = waiting) {
      if (wasNotification && !isNotification(next[0])) {
        isPaused = true;
        wasNotification = false;
        setImmediate(() => {
          isPaused = false;
          drain();
        });
        return;
      }
      waiting.shift();
      wasNotification = isNotification(next[0]);
      handle?.(...next);
    }
  };

  Object.defineProperty(wire, "onmessage", {
    configurable: true,
    get: () => (handle === undefined ? undefined : receive),
    set: (next: typeof handle) => {
      handle = next;
    },
  });
  const receive: Handle = (...message) => {
    received(message[0]);
    waiting.push(message);
    drain();
  };
  return wire;
}

function isNotification(message: WireMessage): boolean {
  return "method" in message && !("id" in message);
}
