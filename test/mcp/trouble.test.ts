// Servers that are silent, gone, late, dying or changing: a session opens at once, its turns go on, and the person learns
// which server it is and why.

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, text, when } from "../../packages/agent/src/model/script.ts";
import { only, resultsOf } from "../agent/seen.ts";
import { StubbornTool } from "../agent/tools.ts";
import { pidIn } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { connect, type GivenServer, notices, odd, offered, openWith, scene, script, told } from "./door.ts";

/** Nobody listens there any more. */
async function unreachable(): Promise<GivenServer> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return { type: "http", name: "nowhere", url: `http://127.0.0.1:${port}/mcp`, headers: [] };
}

test("C-154 servers that cannot be had are named with the cause, and the turn goes on without them", async () => {
  await using scripted = await connect({ script: script() });
  const sessionId = await openWith(
    scripted,
    { name: "gone", command: "no-such-program-anywhere", args: [], env: [] },
    odd("dying", "--die-at-start"),
    await unreachable(),
    odd("well"),
  );

  const { stopReason } = await scripted.prompt(sessionId, "go");

  expect(stopReason).toBe("end_turn");
  expect([...notices(scripted, sessionId)].sort()).toEqual([
    expect.stringMatching(/^The MCP server "dying" cannot be used: .*exit.*3/),
    expect.stringMatching(/^The MCP server "gone" cannot be used: .*no-such-program-anywhere/),
    'The MCP server "nowhere" cannot be used: nobody listens there (ECONNREFUSED).',
  ]);
  expect(offered(scripted)).toContain("mcp_well_echo");
});

test("a tool that is described without end is left out, and every turn goes on", async () => {
  await using scripted = await connect({ script: script() });
  const sessionId = await openWith(scripted, odd("hostile", "--deep"), odd("well"));

  const { stopReason } = await scripted.prompt(sessionId, "go");

  expect(stopReason).toBe("end_turn");
  expect(offered(scripted)).toEqual(expect.arrayContaining(["mcp_hostile_flat", "mcp_well_echo"]));
  expect(offered(scripted)).not.toContain("mcp_hostile_deep");
  expect(notices(scripted, sessionId)).toEqual([
    'The MCP server "hostile" has tools that are described too deeply: "deep".',
  ]);
});

test("C-154 a client that knows notices is told by them", async () => {
  await using scripted = await connect({ script: script(), capabilities: { session: { notices: {} } } as never });
  const sessionId = await openWith(scripted, await unreachable());

  await scripted.prompt(sessionId, "go");

  expect(only(scripted.heardOf(sessionId), "notice" as never)).toEqual([
    {
      sessionUpdate: "notice",
      severity: "warning",
      title: 'The MCP server "nowhere" cannot be used: nobody listens there (ECONNREFUSED).',
    },
  ]);
});

test("a session with a silent server opens at once; the first turn waits a while, and what comes later is there in the next step", async () => {
  const holding = new StubbornTool();
  await using scripted = await connect({
    script: script(call("stubborn"), call("mcp_late_hello")),
    runtime: { tools: [holding.tool] },
  });
  const file = join(scripted.cwd, "awake");
  const opened = performance.now();
  const sessionId = await openWith(scripted, odd("silent", "--silent"), scene("late", `--wakes=${file}`));
  const openedMs = performance.now() - opened;

  const prompted = performance.now();
  const turn = scripted.prompt(sessionId, "go");
  await holding.hasBegun(1);
  const waitedMs = performance.now() - prompted;
  const commands = only(scripted.heardOf(sessionId), "available_commands_update").length;
  await scripted.put("awake", "");
  await scripted.until(() => only(scripted.heardOf(sessionId), "available_commands_update").length > commands);
  holding.release();
  const { stopReason } = await turn;

  expect(openedMs).toBeLessThan(3_000);
  expect(waitedMs).toBeGreaterThan(4_500);
  expect(waitedMs).toBeLessThan(15_000);
  expect(notices(scripted, sessionId)).toEqual([
    'The MCP server "silent" is still connecting; this turn begins without its tools.',
    'The MCP server "late" is still connecting; this turn begins without its tools.',
  ]);
  expect(offered(scripted, 0)).toEqual([]);
  expect(offered(scripted, 1)).toEqual([
    "mcp_late_hello",
    "mcp_late_ask",
    "mcp_late_page",
    "mcp_late_sample",
    "mcp_late_refuse",
  ]);
  expect(told(scripted)).toEqual(["released", "hello"]);
  expect(stopReason).toBe("end_turn");
});

test("cancel ends the wait for servers at once", async () => {
  await using scripted = await connect();
  const sessionId = await openWith(scripted, odd("silent", "--silent"));
  const turn = scripted.client.prompt(sessionId, "go");
  await scripted.until(() => only(scripted.heardOf(sessionId), "session_info_update").length > 0);

  const began = performance.now();
  await scripted.client.cancel(sessionId);

  expect((await turn.result).stopReason).toBe("cancelled");
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(scripted.model.asked).toEqual([]);
});

test("a server that dies in the middle of a turn fails its call, and is there again for the next", async () => {
  await using scripted = await connect({
    script: script(call("mcp_odd_die"), call("mcp_odd_echo", { text: "again" })),
  });
  const sessionId = await openWith(scripted, odd("odd"));

  const { stopReason } = await scripted.prompt(sessionId, "go");

  expect(stopReason).toBe("end_turn");
  expect(resultsOf(scripted.model.asked.at(-1))).toMatchObject([{ failed: true }, { failed: false }]);
  expect(told(scripted)).toEqual([expect.stringMatching(/^Error: odd: the server .*I am dying/), "echo: again"]);
});

test("a list of tools that changes is another one in the next step", async () => {
  const holding = new StubbornTool();
  await using scripted = await connect({
    script: script(call("mcp_odd_grow", { name: "fresh" }), call("stubborn"), call("mcp_odd_fresh", { text: "1" })),
    runtime: { tools: [holding.tool] },
  });
  const sessionId = await openWith(scripted, odd("odd"));
  const turn = scripted.prompt(sessionId, "go");
  await holding.hasBegun(1);
  // The server lists again in its own time: each change is told to the client, whose commands may be others.
  await scripted.until(() => only(scripted.heardOf(sessionId), "available_commands_update").length > 2);
  holding.release();
  await turn;

  expect(offered(scripted, 0)).not.toContain("mcp_odd_fresh");
  expect(offered(scripted, 2)).toContain("mcp_odd_fresh");
  expect(told(scripted).at(-1)).toBe("fresh: 1");
});

test("what goes wrong with a server between two turns breaks no rule of the wire", async () => {
  await using scripted = await connect({
    script: [when({ lastResult: /./ }, text("done")), when({}, call("mcp_odd_pid"))],
  });
  const sessionId = await openWith(scripted, odd("odd"));
  await scripted.prompt(sessionId, "go");
  process.kill(pidIn(told(scripted)[0] ?? ""), "SIGKILL");

  await scripted.prompt(sessionId, "again");

  const pids = told(scripted);
  expect(pids).toHaveLength(2);
  expect(pids[0]).not.toBe(pids[1]);
});

/** A client without notices sees them as thoughts, and those belong to a turn. */
test("a server that is given up between two turns is told of in the next", async () => {
  await using scripted = await connect({ script: script() });
  const file = join(scripted.cwd, "pid");
  const sessionId = await openWith(scripted, odd("silent", "--silent", `--record=${file}`));
  const turn = scripted.client.prompt(sessionId, "go");
  await scripted.until(() => only(scripted.heardOf(sessionId), "session_info_update").length > 0);
  await scripted.client.cancel(sessionId);
  await turn.result;
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");

  process.kill(pidIn(await scripted.get("pid")), "SIGKILL");
  await scripted.until(() => only(scripted.heardOf(sessionId), "available_commands_update").length > 1);
  expect(notices(scripted, sessionId)).toEqual([]);
  await scripted.prompt(sessionId, "again");

  expect(notices(scripted, sessionId)).toEqual([expect.stringMatching(/^The MCP server "silent" cannot be used: /)]);
});
