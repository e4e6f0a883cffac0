import { readFile as readBytes } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, previewTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { readFile } from "./read-file.ts";
import { replace } from "./replace.ts";
import { writeFile } from "./write-file.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(() => here[Symbol.asyncDispose]());

test("announces an edit, and shows the diff without touching anything", async () => {
  const path = await here.put("a.txt", "one\ntwo\n");
  const input = { path: "a.txt", old_string: "two", new_string: "2" };

  expect(planTool(replace, input, room)).toEqual({
    title: "Edit a.txt",
    kind: "edit",
    locations: [{ path }],
    effect: { type: "write", paths: [path] },
  });
  expect(await previewTool(replace, input, room)).toEqual([
    { type: "diff", path, oldText: "one\ntwo\n", newText: "one\n2\n" },
  ]);
  expect(await previewTool(replace, { ...input, old_string: "none" }, room)).toEqual([]);
  expect(await here.get("a.txt")).toBe("one\ntwo\n");
});

test("tells how many were replaced, and where", async () => {
  const path = await here.put("a.txt", "\uFEFFone\r\ntwo\r\ntwo\r\n");

  expect(
    await runTool(replace, { file_path: path, old_text: "two", new_text: "2", replace_all: "true" }, room),
  ).toEqual({
    told: [text(`Replaced 2 occurrence(s) in ${path}`)],
    content: [{ type: "diff", path, oldText: "\uFEFFone\r\ntwo\r\ntwo\r\n", newText: "\uFEFFone\r\n2\r\n2\r\n" }],
    locations: [{ path, line: 2 }],
  });
  expect(await here.get("a.txt")).toBe("\uFEFFone\r\n2\r\n2\r\n");
});

test.each([
  { old_text: "a();\nb();", note: " (flexible whitespace match)" },
  { old_text: 'say("a")', note: " (unicode-normalized match)" },
  { old_text: "a();\\n  b();", note: " (after removing escapes that are not in the file)" },
])("tells when the passage was not copied to the letter:$note", async ({ old_text, note }) => {
  const path = await here.put("a.txt", "  a();\n  b();\nsay(“a”)\n");

  expect(told(await runTool(replace, { file_path: path, old_text, new_text: "x" }, room))).toBe(
    `Replaced 1 occurrence(s) in ${path}${note}`,
  );
});

test("does several edits at once, or none", async () => {
  const path = await here.put("a.txt", "one\ntwo\nthree\n");
  const edits = [
    { old_text: "one", new_text: "1" },
    { old_text: "three", new_text: "3" },
  ];

  const failed = await runTool(replace, { file_path: path, edits: [...edits, { old_text: "x", new_text: "y" }] }, room);
  expect(failed.failed).toBe(true);
  expect(told(failed)).toMatch(/^Error: Edit 3 of 3: Old text not found in .*\nNothing was changed\.$/s);
  expect(await here.get("a.txt")).toBe("one\ntwo\nthree\n");

  expect(told(await runTool(replace, { file_path: path, edits: JSON.stringify(edits) }, room))).toBe(
    `Replaced 2 occurrence(s) in ${path}`,
  );
  expect(await here.get("a.txt")).toBe("1\ntwo\n3\n");
});

test.each([
  { input: { file_path: "a" }, problem: "old_text and new_text are required, or a list of edits" },
  { input: { file_path: "a", old_text: "x" }, problem: "new_text is required" },
  { input: { file_path: "a", new_text: "x" }, problem: "old_text is required" },
  { input: { file_path: "a", edits: [{ old_text: "x" }] }, problem: "edits[0].new_text is required" },
])("says what is missing: $problem", ({ input, problem }) => {
  expect(replace.parse(input)).toEqual({ problem });
});

test("may remove text", async () => {
  const path = await here.put("a.txt", "one\ntwo\n");

  await runTool(replace, { file_path: path, old_text: "two\n", new_text: "" }, room);

  expect(await here.get("a.txt")).toBe("one\n");
});

test("keeps a file known that was known, and unknown what was not", async () => {
  await here.put("known.txt", "one\n");
  const unknown = await here.put("unknown.txt", "one\n");
  await runTool(readFile, { file_path: "known.txt" }, room);

  for (const file_path of ["known.txt", "unknown.txt"]) {
    await runTool(replace, { file_path, old_text: "one", new_text: "1" }, room);
  }

  expect((await runTool(writeFile, { file_path: "known.txt", content: "x" }, room)).failed).toBeUndefined();
  expect(room.seen.fingerprint(unknown)).toBeUndefined();
});

test("does not edit a file that changed since it was read, until it is read again", async () => {
  const path = await here.put("a.txt", "one\n");
  const input = { file_path: "a.txt", old_text: "one", new_text: "1" };
  await runTool(readFile, { file_path: "a.txt" }, room);
  await here.put("a.txt", "one\nand more\n");

  expect(await previewTool(replace, input, room)).toEqual([]);
  expect(await runTool(replace, input, room)).toEqual({
    failed: true,
    told: [text(`Error: ${path} changed since it was last read. Read it again, then edit`)],
  });
  expect(await here.get("a.txt")).toBe("one\nand more\n");

  await runTool(readFile, { file_path: "a.txt" }, room);
  await runTool(replace, input, room);
  await runTool(replace, { ...input, old_text: "1", new_text: "2" }, room);
  expect(await here.get("a.txt")).toBe("2\nand more\n");
});

test("keeps the encoding of a file", async () => {
  const path = await here.put("a.txt", Buffer.from("l’été, déjà\n".replace("’", "'"), "latin1"));

  await runTool(replace, { file_path: path, old_text: "été", new_text: "août" }, room);

  expect(await readBytes(path)).toEqual(Buffer.from("l'août, déjà\n", "latin1"));
});

test("says that there is no such file", async () => {
  await expect(runTool(replace, { file_path: "none", old_text: "a", new_text: "b" }, room)).rejects.toThrow(
    `File ${here.root}/none does not exist`,
  );
});
