import { readFile as readBytes, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, previewTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(() => here[Symbol.asyncDispose]());

test("announces a write, and shows the diff without touching anything", async () => {
  const path = await here.put("a.txt", "old\n");

  expect(planTool(writeFile, { file_path: "a.txt", content: "new\n" }, room)).toEqual({
    title: "Write a.txt",
    kind: "edit",
    locations: [{ path }],
    effect: { type: "write", paths: [path] },
  });
  expect(await previewTool(writeFile, { file_path: "a.txt", content: "new\n" }, room)).toEqual([
    { type: "diff", path, oldText: "old\n", newText: "new\n" },
  ]);
  expect(await here.get("a.txt")).toBe("old\n");
});

test("creates a file with its folders", async () => {
  const path = join(here.root, "a/b.txt");

  expect(await runTool(writeFile, { file_path: "a/b.txt", content: "new\n" }, room)).toEqual({
    told: [text(`Successfully wrote to ${path}`)],
    content: [{ type: "diff", path, oldText: null, newText: "new\n" }],
    locations: [{ path }],
  });
  expect(await here.get("a/b.txt")).toBe("new\n");
});

test("replaces a file that was never read, and one that was read and is unchanged", async () => {
  await here.put("a.txt", "old");

  await runTool(writeFile, { file_path: "a.txt", content: "one" }, room);
  await runTool(writeFile, { file_path: "a.txt", content: "two" }, room);
  await runTool(readFile, { file_path: "a.txt" }, room);
  await runTool(writeFile, { file_path: "a.txt", content: "three" }, room);

  expect(await here.get("a.txt")).toBe("three");
});

test("does not overwrite a file that changed since it was read or written", async () => {
  const path = await here.put("a.txt", "read");
  await runTool(readFile, { file_path: "a.txt" }, room);
  await here.put("a.txt", "changed by somebody");
  const refused = {
    failed: true,
    told: [text(`Error: ${path} changed since it was last read. Read it again, then write`)],
  };

  expect(await runTool(writeFile, { file_path: "a.txt", content: "mine" }, room)).toEqual(refused);
  expect(await here.get("a.txt")).toBe("changed by somebody");

  await runTool(readFile, { file_path: "a.txt" }, room);
  await runTool(writeFile, { file_path: "a.txt", content: "mine" }, room);
  await here.put("a.txt", "changed again");
  expect(await runTool(writeFile, { file_path: "a.txt", content: "mine again" }, room)).toEqual(refused);
});

test("appends to what is there now, and does not take that for seen", async () => {
  const path = await here.put("log.txt", "one\n");
  await runTool(readFile, { file_path: "log.txt" }, room);
  await here.put("log.txt", "one\ntwo\n");

  expect(await runTool(writeFile, { file_path: "log.txt", content: "three\n", append: true }, room)).toEqual({
    told: [text(`Successfully appended to ${path}`)],
    content: [{ type: "diff", path, oldText: "one\ntwo\n", newText: "one\ntwo\nthree\n" }],
    locations: [{ path, line: 3 }],
  });
  expect((await runTool(writeFile, { file_path: "log.txt", content: "all mine" }, room)).failed).toBe(true);
});

test("keeps the line endings and the byte order mark of a file", async () => {
  await here.put("a.txt", "\uFEFFone\r\ntwo\r\n");

  await runTool(writeFile, { file_path: "a.txt", content: "1\n2\n" }, room);
  expect(await here.get("a.txt")).toBe("\uFEFF1\r\n2\r\n");
  await runTool(writeFile, { file_path: "a.txt", content: "3\n", append: true }, room);
  expect(await here.get("a.txt")).toBe("\uFEFF1\r\n2\r\n3\r\n");

  await here.put("b.txt", "one\ntwo\n");
  await runTool(writeFile, { file_path: "b.txt", content: "1\r\n2\r\n" }, room);
  expect(await here.get("b.txt")).toBe("1\r\n2\r\n");
});

test.each([
  { encoding: "utf16le", bytes: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le") },
  { encoding: "latin1", bytes: (text: string) => Buffer.from(text, "latin1") },
] as const)("keeps the encoding of a file: $encoding", async ({ bytes }) => {
  const path = await here.put("a.txt", bytes("prix: été\r\n"));

  await runTool(writeFile, { file_path: path, content: "prix: août\n" }, room);
  expect(await readBytes(path)).toEqual(bytes("prix: août\r\n"));
  await runTool(writeFile, { file_path: path, content: "à suivre\n", append: true }, room);
  expect(await readBytes(path)).toEqual(bytes("prix: août\r\nà suivre\r\n"));
});

test("does not write what the encoding of a file cannot say", async () => {
  const path = await here.put("a.txt", Buffer.from("été\n", "latin1"));

  await expect(runTool(writeFile, { file_path: path, content: "→\n" }, room)).rejects.toThrow(
    `${path} is written in windows-1252, which has no "→". Use another character, or convert the file to UTF-8 first`,
  );
  expect(await readBytes(path)).toEqual(Buffer.from("été\n", "latin1"));
});

test("replaces what is no text, says so, and does not append to it", async () => {
  const path = await here.put("a.bin", Buffer.from([0, 1]));

  const appended = await runTool(writeFile, { file_path: "a.bin", content: "x", append: true }, room);
  expect(told(appended)).toBe(`Error: ${path} is not text; it cannot be appended to`);
  expect((await runTool(writeFile, { file_path: "a.bin", content: "x" }, room)).content).toEqual([
    text(`Replaces what was there: ${path} is not text.`),
    { type: "diff", path, oldText: null, newText: "x" },
  ]);
});

test("refuses what leads out of the roots, in the preview too", async () => {
  await symlink(here.outside, join(here.root, "link"));
  const path = join(here.root, "link/a.txt");
  const problem = `PathPolicy: refused '${path}' — resolves to '${join(here.outside, "a.txt")}', outside project_root '${here.root}'`;

  await expect(runTool(writeFile, { file_path: path, content: "x" }, room)).rejects.toThrow(problem);
  await expect(previewTool(writeFile, { file_path: path, content: "x" }, room)).rejects.toThrow(problem);
  await expect(stat(join(here.outside, "a.txt"))).rejects.toThrow("ENOENT");
});
