// The built program loads the protocol library with the first server, and not before: a session without servers does not
// pay for it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { type Program, startReady } from "../program/program.ts";
import { odd } from "./door.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const recorder = fileURLToPath(new URL("program/record-modules.mjs", import.meta.url));

async function startRecorded(): Promise<{ program: Program; loaded: () => readonly string[] }> {
  const record = join(temporaryFolder(), "modules");
  const env = { NODE_OPTIONS: `--import ${recorder}`, RECORD_MODULES: record, AGENTAO_MODEL: "scripted/demo" };
  const program = await startReady({ env });
  const loaded = () => (existsSync(record) ? readFileSync(record, "utf8").split("\n").filter(Boolean) : []);
  return { program, loaded };
}

function isLibrary(url: string): boolean {
  return url.includes("/@modelcontextprotocol/");
}

/** A file that what connects servers was built into; it knows them by the names of their messages. */
function isHub(url: string): boolean {
  return (
    url.startsWith("file:") && readFileSync(fileURLToPath(url), "utf8").includes("notifications/tools/list_changed")
  );
}

async function withoutServers(): Promise<readonly string[]> {
  const { program, loaded } = await startRecorded();
  const sessionId = await program.open(temporaryFolder());
  await program.prompt(sessionId, "list files");
  await program.end();
  expect(loaded().some((url) => url.endsWith("/main.js"))).toBe(true);
  return loaded();
}

test("a session without servers loads nothing of the library, also when it has a turn", async () => {
  expect((await withoutServers()).filter(isLibrary)).toEqual([]);
});

test("nor does it load what connects servers", async () => {
  expect((await withoutServers()).filter(isHub)).toEqual([]);
});

test("a session with a server loads it", async () => {
  const { program, loaded } = await startRecorded();
  const { sessionId } = await program.request("session/new", { cwd: temporaryFolder(), mcpServers: [odd("odd")] });
  await program.prompt(sessionId, "/mcp");
  expect(program.textOf(sessionId)).toContain("**odd** (stdio, from the client): connected.");
  await program.end();

  expect(loaded().filter(isLibrary)).not.toEqual([]);
  expect(loaded().filter(isHub)).not.toEqual([]);
});
