// Many hubs in one process, and the death of a process that holds one.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { createHub, type Hub } from "../../packages/agent/src/mcp/hub.ts";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { oddServer, roomFor, toolOf, twoEraServer } from "./stage.ts";

const open: Hub[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hub) => hub.close()));
});

test("no tool of one hub is seen in another, of twenty", { timeout: 120_000 }, async () => {
  const hubs: Hub[] = [];
  for (let at = 0; at < 20; at++) hubs.push(createHub([oddServer(`s${at}`, [`--tool=only_${at}`])], roomFor()));
  open.push(...hubs);
  await Promise.all(hubs.map((hub) => hub.settled(60_000, new AbortController().signal)));

  for (const [at, hub] of hubs.entries()) {
    expect(hub.tools()[0]?.name).toBe(`mcp_s${at}_only_${at}`);
    expect(hub.tools().every(({ name }) => name.startsWith(`mcp_s${at}_`))).toBe(true);
  }
  const said = await Promise.all(
    hubs.map((hub, at) => toolOf(hub, `mcp_s${at}_only_${at}`).call({ text: String(at) })),
  );
  expect(said.map(({ text }) => text)).toEqual(hubs.map((_, at) => `only_${at}: ${at}`));
  const pids = await Promise.all(
    hubs.map(async (hub, at) => Number((await toolOf(hub, `mcp_s${at}_pid`).call({})).text)),
  );
  expect(new Set(pids).size).toBe(20);
  await Promise.all(open.splice(0).map((hub) => hub.close()));
  expect(pids.filter(isAlive)).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a process that is killed takes its servers along",
  { timeout: 60_000 },
  async () => {
    const host = startHost();
    const [line] = (await once(createInterface({ input: host.stdout as NodeJS.ReadableStream }), "line")) as [string];
    const pids = line.split(" ").map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);

    host.kill("SIGKILL");

    await until(() => !pids.some(isAlive));
  },
);

test("nothing of a closed hub keeps a process from ending", { timeout: 60_000 }, async () => {
  const listener = spawn(process.execPath, [twoEraServer, "http", "both"], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await nextLine(listener);
  const host = startHost(`http://127.0.0.1:${port}/mcp`);
  const lines = createInterface({ input: host.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  await lines.next();
  expect((await lines.next()).value).toBe("closed closed closed");

  const began = performance.now();
  const [code] = await once(host, "exit");

  expect(code).toBe(0);
  expect(performance.now() - began).toBeLessThan(1_000);
  listener.kill("SIGKILL");
});

function startHost(...args: string[]): ChildProcess {
  const program = fileURLToPath(new URL("program/host.ts", import.meta.url));
  return spawn(process.execPath, ["--import", "tsx", program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line")) as [string];
  return line;
}
