import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";
import { withWholeAnswers } from "./whole-answers.ts";
import type { Wire, WireMessage } from "./wire.ts";

const note = (progress: number): WireMessage => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progress },
});
const answer = (id: number): WireMessage => ({ jsonrpc: "2.0", id, result: {} });
const silent: Wire = { start: async () => {}, send: async () => {}, close: async () => {} };

test("an answer is handled after the notifications that came before it", async () => {
  const handled: string[] = [];
  const wire = inOrder({ ...silent });
  // As the library does: notifications a moment later, answers at once.
  wire.onmessage = (message) => {
    if (!("method" in message)) handled.push(`answer ${message.id}`);
    else void Promise.resolve().then(() => handled.push("note"));
  };

  for (const message of [answer(1), note(1), note(2), answer(2), answer(3), note(3)]) wire.onmessage?.(message);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  expect(handled).toEqual(["answer 1", "note", "note", "answer 2", "answer 3", "note"]);
});

test("a request whose stream ends without an answer gets one", async () => {
  const handled: unknown[] = [];
  const ends: (() => void)[] = [];
  const wire = withWholeAnswers<Wire>({
    ...silent,
    send: async (_message, options) => void ends.push(options?.onRequestStreamEnd ?? (() => {})),
  });
  wire.onmessage = (message) => void handled.push(message);

  for (const id of [1, 2]) await wire.send({ jsonrpc: "2.0", id, method: "tools/call" });
  wire.onmessage?.(answer(1));
  for (const end of [...ends, ...ends]) end();

  expect(handled).toEqual([
    answer(1),
    { jsonrpc: "2.0", id: 2, error: { code: -32000, message: "the connection ended before there was an answer" } },
  ]);
});
