// A server with more tools than the model's window has room for: the model searches them, and what it found stays.

import { expect, test } from "vitest";
import { call, text, when } from "../../packages/agent/src/model/script.ts";
import type { Scripted } from "../agent/connect-scripted.ts";
import { announced, connect, odd, offered, openWith, script, told } from "./door.ts";

/** A tenth of it is less than 500 tools need. */
const SMALL = { info: { windowTokens: 60_000 } };
const MANY = "--many=500";

function searches({ model }: Scripted, at = 0): boolean {
  return model.asked[at]?.tools.some(({ name }) => name === "search_tools") ?? false;
}

test("tools that have room are all listed, and nothing searches them", async () => {
  await using scripted = await connect({ script: script() });

  await scripted.prompt(await openWith(scripted, odd("odd", MANY)), "go");

  expect(offered(scripted)).toHaveLength(500);
  expect(searches(scripted)).toBe(false);
});

test("tools that have none are searched, and can be called in the next step", async () => {
  await using scripted = await connect({
    script: script(call("search_tools", { query: "t0_321", limit: 1 }), call("mcp_odd_t0_321", { text: "hi" })),
    scripted: SMALL,
  });

  await scripted.prompt(await openWith(scripted, odd("odd", MANY)), "go");

  expect([offered(scripted, 0), searches(scripted)]).toEqual([[], true]);
  expect([offered(scripted, 1), offered(scripted, 2)]).toEqual([["mcp_odd_t0_321"], ["mcp_odd_t0_321"]]);
  expect(told(scripted)).toEqual([expect.stringContaining("mcp_odd_t0_321\nDoes t0_321."), "t0_321: hi"]);
  expect(scripted.asked.map(({ toolCall }) => toolCall.name)).toEqual(["mcp_odd_t0_321"]);
});

test("what a request begins with does not change when a tool is found", async () => {
  await using scripted = await connect({
    script: script(
      call("search_tools", { query: "t0_1", limit: 2 }),
      call("search_tools", { query: "t0_9", limit: 2 }),
    ),
    scripted: SMALL,
  });

  await scripted.prompt(await openWith(scripted, odd("odd", MANY)), "go");

  const names = scripted.model.asked.map(({ tools }) => tools.map(({ name }) => name));
  for (const [at, before] of names.slice(0, -1).entries())
    expect(names[at + 1]?.slice(0, before.length)).toEqual(before);
  expect(names[2]?.length).toBeGreaterThan(names[0]?.length ?? 0);
});

test("a session that goes on still lists what it has called", async () => {
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^find$/ }, call("search_tools", { query: "t0_321", limit: 1 })),
      when({ lastUserText: /^find$/, lastResult: /can be called/ }, call("mcp_odd_t0_321", { text: "hi" })),
      when({ lastResult: /hi/ }, text("done")),
      when({}, text("ok")),
    ],
    scripted: SMALL,
  });
  const sessionId = await openWith(scripted, odd("odd", MANY));
  await scripted.prompt(sessionId, "find");
  await scripted.client.closeSession(sessionId);

  const mcpServers = [odd("odd", MANY)] as never;
  await scripted.client.loadSession({ sessionId, cwd: scripted.cwd, mcpServers });
  await announced(scripted, sessionId);
  await scripted.prompt(sessionId, "again");

  expect(told(scripted).at(-1)).toBe("t0_321: hi");
  expect(offered(scripted, scripted.model.asked.length - 1)).toEqual(["mcp_odd_t0_321"]);
});
