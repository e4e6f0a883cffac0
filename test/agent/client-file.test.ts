// Files that the client lends, with unsaved buffers. And what becomes of calls when it lends them badly.
// The harness fails a scenario that calls what was not offered, or leaves a terminal unreleased (C-238 … C-241).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { RpcError } from "@agentao/acp";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type ScriptedSetup } from "./connect-scripted.ts";
import { only, toldOf } from "./seen.ts";

type Handlers = NonNullable<ScriptedSetup["handlers"]>;

const read = [[call("read_file", { file_path: "a.txt" })], [text("ok")]];
const write = [[call("write_file", { file_path: "a.txt", content: "new\n" })], [text("ok")]];
const run = [[call("run_shell_command", { command: "touch made; echo local" })], [text("ok")]];

test("reads see unsaved buffers (C-238)", async () => {
  const asked: unknown[] = [];
  await using scripted = await connectScripted({
    script: [[call("read_file", { file_path: "a.txt", offset: 2, limit: 1 })], [text("ok")]],
    handlers: {
      readTextFile: (params) => {
        asked.push(params);
        return { content: "unsaved\n" };
      },
    },
  });
  const path = await scripted.put("a.txt", "one\nsaved\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(asked).toEqual([{ sessionId: "sess_1", path, line: 2, limit: 2 }]);
  expect(toldOf(scripted)).toContain("\tunsaved");
});

test("an edit is made in the unsaved buffer, and goes through the client", async () => {
  const written: unknown[] = [];
  await using scripted = await connectScripted({
    script: [[call("replace", { file_path: "a.txt", old_text: "unsaved", new_text: "changed" })], [text("ok")]],
    handlers: {
      readTextFile: () => ({ content: "unsaved\n" }),
      writeTextFile: (params) => {
        written.push(params);
        return {};
      },
    },
  });
  const path = await scripted.put("a.txt", "saved\n");

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(written).toEqual([{ sessionId: "sess_1", path, content: "changed\n" }]);
  expect(await scripted.get("a.txt")).toBe("saved\n");
  expect(only(updates, "tool_call_update").at(-1)).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "call_1",
    status: "completed",
    content: [{ type: "diff", path, oldText: "unsaved\n", newText: "changed\n" }],
    locations: [{ path, line: 1 }],
    rawOutput: `Replaced 1 occurrence(s) in ${path}`,
  });
});

const bad: readonly (readonly [string, Handlers])[] = [
  ["-32601", {}],
  ["null", { readTextFile: () => null as never }],
  ["nonsense", { readTextFile: () => 7 as never }],
];

test.each(bad)("a client that answers %s to reads: the file is read locally", async (_, handlers) => {
  await using scripted = await connectScripted({
    script: read,
    handlers,
    capabilities: { fs: { readTextFile: true } },
  });
  await scripted.put("a.txt", "local\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toContain("\tlocal");
});

test("a client that does not know a file: the disk says what is wrong", async () => {
  await using scripted = await connectScripted({
    script: read,
    handlers: {
      readTextFile: () => {
        throw RpcError.resourceNotFound();
      },
    },
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toBe(`Error: File ${join(scripted.cwd, "a.txt")} does not exist`);
});

test("a client that answers -32601 to writes: the file is written locally", async () => {
  await using scripted = await connectScripted({ script: write, capabilities: { fs: { writeTextFile: true } } });

  await scripted.prompt(await scripted.open(), "go");

  expect(await scripted.get("a.txt")).toBe("new\n");
});

test("null is how some clients say that a write is done", async () => {
  await using scripted = await connectScripted({ script: write, handlers: { writeTextFile: () => null as never } });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "tool_call_update").at(-1)?.status).toBe("completed");
  expect(existsSync(join(scripted.cwd, "a.txt"))).toBe(false);
});

test("a client that refuses a write: it is not written behind its back, and the model is told", async () => {
  await using scripted = await connectScripted({
    script: write,
    handlers: {
      writeTextFile: () => {
        throw RpcError.internal("The buffer is read-only.");
      },
    },
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "tool_call_update").at(-1)?.status).toBe("failed");
  expect(toldOf(scripted)).toBe("Error: The editor refused: The buffer is read-only.");
  expect(existsSync(join(scripted.cwd, "a.txt"))).toBe(false);
});

test("a write outside the folders of the session never reaches the client (C-150)", async () => {
  await using scripted = await connectScripted({
    script: [[call("write_file", { file_path: "/tmp/elsewhere/a.txt", content: "x" })], [text("ok")]],
    answer: "allow_once",
    handlers: { writeTextFile: () => ({}) },
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.calls).not.toContain("fs/write_text_file");
});

test("nothing is asked of a client that offers nothing (C-128, C-238, C-239)", async () => {
  await using scripted = await connectScripted({
    script: [[...(read[0] as []), ...(write[0] as []), ...(run[0] as [])], [text("ok")]],
    answer: "allow_once",
  });
  await scripted.put("a.txt", "old\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.calls).toEqual(["session/request_permission"]);
});
