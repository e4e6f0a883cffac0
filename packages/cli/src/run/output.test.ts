import { Writable } from "node:stream";
import type { SessionUpdate } from "@agentao/acp";
import { expect, test } from "vitest";
import type { ProgressLine } from "../front/progress-line.ts";
import type { Ending } from "./ending.ts";
import { createOutput } from "./output.ts";
import { refusedResult } from "./result.ts";

const world = ({ isTTY }: { isTTY: boolean }) => {
  const seen: string[] = [];
  const stdout = Object.assign(
    new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        seen.push(text);
        done();
      },
    }),
    { isTTY },
  );
  const progress: ProgressLine = {
    show: () => {},
    hold: () => seen.push("<hold>"),
    release: () => seen.push("<release>"),
    close: () => {},
  };
  const ended: Ending[] = [];
  const stop = { end: (ending: Ending): void => void ended.push(ending) };
  return { seen, stdout, progress, stop, ended };
};

const says = (text: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...(messageId !== undefined && { messageId }),
});
const calls: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "1", title: "t" };
const result = refusedResult({ type: "interrupted", message: "interrupted" }, "/w");

test("a line of the answer is held free of everything else until it ends", async () => {
  const { seen, ...room } = world({ isTTY: true });
  const output = createOutput("text", room);
  for (const update of [says("a", "m1"), says("b", "m1"), calls]) await output.update(update);
  expect(seen).toEqual(["<hold>", "a", "<hold>", "b", "<hold>", "\n", "<release>"]);
});

test.each<[string, SessionUpdate[], string]>([
  ["two messages", [says("a", "m1"), says("b", "m2")], "a\n\nb\n"],
  ["two without ids, a call between them", [says("a"), calls, says("b")], "a\n\nb\n"],
  ["one without an id", [says("a"), says("b")], "ab\n"],
  ["one that ends its line", [says("a\n", "m1")], "a\n"],
  ["one that tells a failure", [says("a", "m1"), says("Error: x", "turn_1_error")], "a\n"],
  ["none", [], ""],
])("a terminal shows %s", async (_, updates, text) => {
  const { seen, ...room } = world({ isTTY: true });
  const output = createOutput("text", room);
  for (const update of updates) await output.update(update);
  await output.finish(result);
  expect(seen.filter((piece) => !piece.startsWith("<")).join("")).toBe(text);
});

test("a pipe gets what there is, once", async () => {
  const { seen, ...room } = world({ isTTY: false });
  const output = createOutput("text", room);
  await output.update(says("half"));
  await output.finish({ ...result, partial_text: "half" });
  expect(seen).toEqual(["half\n"]);
});

test("a reader that is gone keeps nobody waiting", async () => {
  const room = world({ isTTY: false });
  room.stdout.destroy();
  await createOutput("json", room).finish(result);
  expect(room.stdout.destroyed).toBe(true);
});

test.each<[string, string, Ending]>([
  ["gone has had enough", "EPIPE", { type: "interrupted" }],
  ["without room for it is a failure", "ENOSPC", { type: "unwritable", problem: "ENOSPC: write" }],
])("a reader that is %s", async (_, code, ending) => {
  const room = world({ isTTY: false });
  room.stdout._write = (_text, _encoding, done) => done(Object.assign(new Error(`${code}: write`), { code }));
  room.stdout.on("error", () => {});
  await createOutput("json", room).finish(result);
  expect(room.ended).toEqual([ending]);
});
