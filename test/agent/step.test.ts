// The calls of one step: side by side, in order, and over and over.

import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { errorOf, resultsOf } from "./seen.ts";

test("reads run side by side", async () => {
  let open = 0;
  let release = (): void => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using scripted = await connectScripted({
    script: [[call("read_file", { file_path: "a.txt" }), call("read_file", { file_path: "b.txt" })], [text("ok")]],
    handlers: {
      readTextFile: async () => {
        if (++open === 2) release();
        await both;
        return { content: "x\n" };
      },
    },
  });
  await scripted.put("a.txt", "x\n");
  await scripted.put("b.txt", "x\n");

  expect((await scripted.prompt(await scripted.open(), "go")).stopReason).toBe("end_turn");
});

test("what changes something runs in order, after the reads before it", async () => {
  const write = (content: string) => call("write_file", { file_path: "a.txt", content });
  const read = call("read_file", { file_path: "a.txt" });
  await using scripted = await connectScripted({
    script: [[read, write("one\n"), read, write("two\n"), read], [text("ok")]],
  });
  await scripted.put("a.txt", "zero\n");

  await scripted.prompt(await scripted.open(), "go");

  const told = resultsOf(scripted.model.asked[1])?.map(({ parts }) => (parts[0]?.type === "text" ? parts[0].text : ""));
  expect(told?.map((one) => /zero|one|two|wrote/.exec(one)?.[0])).toEqual(["zero", "wrote", "one", "wrote", "two"]);
});

test("the same call three times ends the turn with an error", async () => {
  await using scripted = await connectScripted({
    script: Array.from({ length: 5 }, () => [call("list_directory")]),
  });
  const sessionId = await scripted.open();

  const error = await errorOf(scripted.prompt(sessionId, "go"));

  expect(error).toEqual({
    code: -32603,
    message: "The model asked for the same thing 3 times in a row (list_directory), so the turn was stopped.",
    data: { kind: "loop", retryable: false },
  });
  expect(scripted.model.asked).toHaveLength(3);
});

test("the same call with other calls in between is no loop", async () => {
  const list = call("list_directory");
  const todo = call("todo_write", { todos: [] });
  await using scripted = await connectScripted({ script: [[list], [todo], [list], [todo], [list], [text("ok")]] });

  expect((await scripted.prompt(await scripted.open(), "go")).stopReason).toBe("end_turn");
});
