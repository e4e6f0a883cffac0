import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadServers } from "./load-servers.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-servers-"));
  mkdirSync(join(folder, ".agentao"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform === "win32")("nobody waits for a pipe where acp.json should be", async () => {
  const path = join(folder, ".agentao/acp.json");
  execFileSync("mkfifo", [path]);
  const { servers, problems } = await loadServers({ cwd: folder, env: { AGENTAO_HOME: folder } });
  expect([servers, problems]).toEqual([[], [`cannot read ${path}: it is not a file`]]);
});
