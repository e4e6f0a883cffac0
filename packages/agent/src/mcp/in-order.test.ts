import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";
import { type HttpWire, withWholeAnswers } from "./whole-answers.ts";
import type { Wire } from "./wire.ts";

const note = (progress: number) => ({ jsonrpc: "2.0", method: "notifications/progress", params: { progress } });
const answer = (id: number) => ({ jsonrpc: "2.0", id, result: {} });

test("an answer is handled after the notifications that came before it", async () => {
  const handled: string[] = [];
  const wire = inOrder({ start: async () => {}, send: async () => {}, close: async () => {} } as Wire);
  // As the library does: notifications a moment later, answers at once.
  wire.onmessage = (message: { method?: string; id?: number }) => {
    if (message.method === undefined) handled.push(`answer ${message.id}`);
    else void Promise.resolve().then(() => handled.push("note"));
  };
  const receive = wire.onmessage as (message: unknown) => void;

  for (const message of [answer(1), note(1), note(2), answer(2), answer(3), note(3)]) receive(message);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  expect(handled).toEqual(["answer 1", "note", "note", "answer 2", "answer 3", "note"]);
});

test("a request whose stream ends without an answer gets one", async () => {
  const handled: unknown[] = [];
  const ends: (() => void)[] = [];
  const wire = withWholeAnswers<HttpWire>({
    start: async () => {},
    send: async (_message, options) => void ends.push(options?.onRequestStreamEnd ?? (() => {})),
    close: async () => {},
  });
  wire.onmessage = (message: unknown) => void handled.push(message);

  for (const id of [1, 2]) await wire.send({ jsonrpc: "2.0", id, method: "tools/call" });
  (wire.onmessage as (message: unknown) => void)(answer(1));
  for (const end of [...ends, ...ends]) end();

  expect(handled).toEqual([
    answer(1),
    { jsonrpc: "2.0", id: 2, error: { code: -32000, message: "the connection ended before there was an answer" } },
  ]);
});
