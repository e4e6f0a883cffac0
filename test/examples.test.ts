// Every example does what it says, as a user runs it.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "agentao-examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}.ts`, import.meta.url));
const run = (name: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, ["--import", "tsx", example(name), ...args], { timeout: 60_000 });

test("client asks echo-agent and prints its answer", async () => {
  const { stdout, stderr } = await run("client", "How are you?");
  expect([stdout, stderr]).toEqual(["Connected to echo-agent.\nEcho: How are you?\nThe turn ended: end_turn.\n", ""]);
});

test("workspace-client lets permission-agent write and run what was allowed", async () => {
  const { stdout, stderr } = await run("workspace-client", folder, "--yes");
  expect([stdout, stderr]).toEqual([
    [
      `Write ${join(folder, "note.txt")}: completed`,
      "  The note is written.",
      "cat note.txt: completed",
      "  Written by an agent that asked first.",
      "",
    ].join("\n"),
    "",
  ]);
  expect(readFileSync(join(folder, "note.txt"), "utf8")).toBe("Written by an agent that asked first.\n");
});

test.each([
  ["allowed", [], ["Order 2 × lamp?", "Done.", "They are on their way.", "The turn ended: ended.", ""]],
  ["refused", ["--no"], ["Order 2 × lamp?", "No.", "Not ordered.", "The turn ended: ended.", ""]],
])("embed asks about its tool, which is %s, tells what happens, and ends by itself", async (_, args, lines) => {
  const { stdout, stderr } = await run("embed", ...args);
  expect([stdout, stderr]).toEqual([lines.join("\n"), ""]);
});

test("embed has no more than thirty lines of code", () => {
  const lines = readFileSync(example("embed"), "utf8").split("\n");
  expect(lines.filter((line) => line.trim() !== "" && !line.startsWith("//")).length).toBeLessThanOrEqual(30);
});

test("every example is run here", () => {
  const names = readdirSync(new URL("../examples/", import.meta.url)).filter((name) => name.endsWith(".ts"));
  expect(names.sort()).toEqual([
    "client.ts",
    "echo-agent.ts",
    "embed.ts",
    "permission-agent.ts",
    "workspace-client.ts",
  ]);
});
