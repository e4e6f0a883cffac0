import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sweepLeftovers } from "./sweep-leftovers.ts";

const folder = mkdtempSync(join(tmpdir(), "agentao-sweep-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of a process that has ended. */
const deadPid = (): string => execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();

test("takes away the old folders of dead processes, and nothing else", async () => {
  const [dead, linked, young] = [deadPid(), deadPid(), deadPid()];
  const names = [`agentao-${process.pid}`, "agentao-program-x", "other-1"];
  for (const name of [...names, `agentao-${dead}`]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "spilled.txt"), "text");
    utimesSync(join(folder, name), 0, 0);
  }
  mkdirSync(join(folder, `agentao-${young}`));
  symlinkSync(join(folder, "other-1"), join(folder, `agentao-${linked}`));
  await sweepLeftovers(folder);
  expect(readdirSync(folder).sort()).toEqual([...names, `agentao-${linked}`, `agentao-${young}`].sort());
  expect(readdirSync(join(folder, "other-1"))).toEqual(["spilled.txt"]);
  await sweepLeftovers(join(folder, "nowhere"));
});
