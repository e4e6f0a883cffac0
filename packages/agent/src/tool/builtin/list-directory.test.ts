import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { listDirectory } from "./list-directory.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(() => here[Symbol.asyncDispose]());

test("announces the folder it will list", () => {
  expect(planTool(listDirectory, {}, room)).toEqual({
    title: "List .",
    kind: "read",
    locations: [{ path: here.root }],
    effect: { type: "read", paths: [here.root] },
  });
});

test("lists folders first, then files with their sizes", async () => {
  await here.put("b.txt", "four");
  await here.put("src/a.ts", "");
  await symlink("b.txt", join(here.root, "link"));
  const listing = "[DIR] src\n[FILE] b.txt (4 bytes)\n[FILE] link -> b.txt (4 bytes)";

  expect(await runTool(listDirectory, {}, room)).toEqual({
    told: [text(`Directory: ${here.root}\n${listing}`)],
    content: [text(`\`\`\`\n${listing}\n\`\`\``)],
  });
});

test("lists what is below, but not what programs made, and follows no link", async () => {
  await here.put("src/deep/a.ts", "1");
  await here.put("src/b.ts", "");
  await here.put("node_modules/x/index.js", "");
  await here.put(".git/HEAD", "");
  await symlink("..", join(here.root, "src/up"));

  expect(told(await runTool(listDirectory, { path: ".", recursive: true }, room))).toBe(
    [
      `Directory: ${here.root}`,
      "[DIR] .git (not listed)",
      "[DIR] node_modules (not listed)",
      "[DIR] src",
      "  [DIR] deep",
      "    [FILE] a.ts (1 bytes)",
      "  [DIR] up -> .. (not listed)",
      "  [FILE] b.ts (0 bytes)",
    ].join("\n"),
  );
});

test("enters no folder that ignore files name, and counts the files they leave out", async () => {
  await here.put(".gitignore", "*.log\n/out/\n");
  await here.put("a.log", "");
  await here.put("out/b.txt", "");
  await here.put("src/.gitignore", "!keep.log\n*.tmp\n");
  await here.put("src/keep.log", "");
  await here.put("src/x.tmp", "");

  expect(told(await runTool(listDirectory, { recursive: true }, room))).toBe(
    [
      `Directory: ${here.root}`,
      "[DIR] out (not listed)",
      "[DIR] src",
      "  [FILE] .gitignore (16 bytes)",
      "  [FILE] keep.log (0 bytes)",
      "[FILE] .gitignore (12 bytes)",
      "(ignored files that are not listed: 2)",
    ].join("\n"),
  );
  expect(told(await runTool(listDirectory, { directory_path: "out", recursive: true }, room))).toBe(
    `Directory: ${join(here.root, "out")}\n[FILE] b.txt (0 bytes)`,
  );
});

test("is bounded, nearest first, and says what it left out", async () => {
  for (let at = 0; at < 300; at++) await here.put(`a/${String(at).padStart(3, "0")}`, "");
  await here.put("b/near.txt", "");

  const lines = told(await runTool(listDirectory, { recursive: true }, room)).split("\n");

  expect(lines).toHaveLength(1 + 1 + 200 + 1 + 2);
  expect(lines.slice(-3)).toEqual(["  … and 100 more", "[DIR] b", "  [FILE] near.txt (0 bytes)"]);
});

test("says that a folder is empty, or not there", async () => {
  expect(told(await runTool(listDirectory, {}, room))).toBe(`Directory: ${here.root}\n(empty)`);
  await expect(runTool(listDirectory, { directory_path: "none" }, room)).rejects.toThrow(
    `Folder ${join(here.root, "none")} does not exist`,
  );
});
