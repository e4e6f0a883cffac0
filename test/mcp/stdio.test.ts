// Servers over stdio that misbehave: what becomes of them, of the calls, and of the others.

import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createHub, type Hub, type HubRoom } from "../../packages/agent/src/mcp/hub.ts";
import type { ServerConfig } from "../../packages/agent/src/mcp/server.ts";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { never, nodeServer, oddServer, roomFor, server, toolOf } from "./stage.ts";

const open: Hub[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hub) => hub.close()));
});

async function hubOf(configs: readonly ServerConfig[], more: Partial<HubRoom> = {}) {
  const room = roomFor(more);
  const hub = createHub(configs, room);
  open.push(hub);
  await hub.settled(20_000, never);
  return { hub, room };
}

describe("a server", () => {
  test("is called, and its tools have its name", async () => {
    const { hub, room } = await hubOf([oddServer("odd")]);

    expect(
      hub
        .tools()
        .slice(0, 3)
        .map(({ name }) => name),
    ).toEqual(["mcp_odd_echo", "mcp_odd_slow", "mcp_odd_die"]);
    expect(await toolOf(hub, "mcp_odd_echo").call({ text: "hello" })).toMatchObject({
      failed: false,
      text: "echo: hello",
    });
    expect(hub.reports()).toMatchObject([
      { name: "odd", source: "client", transport: "stdio", state: { type: "connected" } },
    ]);
    expect(room.notices).toEqual([]);
  });

  test("finds what every program needs in its environment, and nothing of ours", async () => {
    const { hub } = await hubOf([oddServer("odd")]);

    const env = JSON.parse((await toolOf(hub, "mcp_odd_environment").call({})).text);

    expect(env).toMatchObject({ PATH: process.env.PATH, HOME: process.env.HOME, ODD_TOKEN: "[redacted]" });
    expect(env).not.toHaveProperty("OPENAI_API_KEY");
  });

  test("is told the roots of the session", async () => {
    const { hub } = await hubOf([oddServer("odd")], { roots: ["/tmp/one root", "/tmp/two"] });

    const { roots } = JSON.parse((await toolOf(hub, "mcp_odd_roots").call({})).text);

    expect(roots).toEqual([
      { uri: "file:///tmp/one%20root", name: "one root" },
      { uri: "file:///tmp/two", name: "two" },
    ]);
  });

  test("has its calls answered side by side", async () => {
    const { hub } = await hubOf([oddServer("odd")]);
    const slow = toolOf(hub, "mcp_odd_slow");

    const order: number[] = [];
    await Promise.all([300, 150, 1].map((ms) => slow.call({ ms }).then(() => order.push(ms))));

    expect(order).toEqual([1, 150, 300]);
  });

  test("may have many calls of one turn, without a word about leaks", async () => {
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", warn);
    const { hub } = await hubOf([oddServer("odd")]);
    const echo = toolOf(hub, "mcp_odd_echo");
    const turn = new AbortController().signal;

    const said = await Promise.all(Array.from({ length: 40 }, (_, at) => echo.call({ text: String(at) }, turn)));
    await new Promise((resolve) => setImmediate(resolve));

    expect(said.map(({ text }) => text)).toEqual(said.map((_, at) => `echo: ${at}`));
    expect(warnings).toEqual([]);
    process.off("warning", warn);
  });

  test("has all of its progress shown, also when its answer follows at once", async () => {
    const { hub } = await hubOf([oddServer("odd")]);
    const progress = toolOf(hub, "mcp_odd_progress");

    expect((await progress.call({})).text).toBe("there");
    expect(progress.shown.map(([part]) => part)).toEqual(
      [1, 2, 3].map((step) => ({ type: "text", text: `Walking (${step} of 3)` })),
    );
  });

  test("that fails a call has that told", async () => {
    const { hub } = await hubOf([oddServer("odd")]);

    expect(await toolOf(hub, "mcp_odd_broken").call({})).toMatchObject({ failed: true, text: "it broke" });
  });

  test("learns that a call was cancelled", async () => {
    const { hub } = await hubOf([oddServer("odd")]);
    const stop = new AbortController();

    const calling = toolOf(hub, "mcp_odd_slow").call({}, stop.signal);
    setTimeout(() => stop.abort(new Error("the turn was cancelled")), 20);

    expect(await calling).toMatchObject({ failed: true });
    expect(JSON.parse((await toolOf(hub, "mcp_odd_seen").call({})).text)).toHaveLength(1);
  });

  test("is not waited for longer than a call may take", async () => {
    const { hub } = await hubOf([oddServer("odd", [], { requestMs: 100 })]);

    expect(await toolOf(hub, "mcp_odd_slow").call({})).toMatchObject({
      failed: true,
      text: expect.stringContaining("timed out"),
    });
    expect((await toolOf(hub, "mcp_odd_echo").call({ text: "still here" })).text).toBe("echo: still here");
  });

  test("that answers with far too much is cut, and that is said", async () => {
    const { hub } = await hubOf([oddServer("odd")]);

    const { text } = await toolOf(hub, "mcp_odd_huge").call({ chars: 20_000_000 });

    expect(text.length).toBeLessThan(1_000_200);
    expect(text).toMatch(/19,000,000 more characters left out/);
  });

  test("that sends a line beyond all bounds loses that line, and nothing else", async () => {
    const { hub, room } = await hubOf([oddServer("odd", [], { requestMs: 3_000 })]);

    const huge = toolOf(hub, "mcp_odd_huge").call({ chars: 40_000_000 });
    expect((await toolOf(hub, "mcp_odd_echo").call({ text: "after" })).text).toBe("echo: after");

    expect(await huge).toMatchObject({ failed: true });
    expect(room.logged.join()).toContain("passed over");
  });

  test("that says other things than messages is understood, and they are logged without secrets", async () => {
    const { hub, room } = await hubOf([oddServer("odd", ["--garbage"])]);

    expect((await toolOf(hub, "mcp_odd_echo").call({ text: "x" })).text).toBe("echo: x");
    expect(room.logged).toContain("[mcp odd] Welcome to the odd server!");
    expect(room.logged).toContain("[mcp odd] { not json }");
    await until(() => room.logged.includes("[mcp odd] the token is [redacted]"));
  });

  test("cannot flood the log", async () => {
    const { hub, room } = await hubOf([oddServer("odd", ["--flood"])]);

    await toolOf(hub, "mcp_odd_flood").call({ lines: 20_000 });
    await hub.close();

    expect(room.logged.length).toBeLessThan(250);
    expect(room.logged.at(-1)).toMatch(/more lines left out/);
  });
});

describe("a list of tools", () => {
  test("is read again when it changes, once for many changes, and unchanged tools stay the same objects", async () => {
    const { hub, room } = await hubOf([oddServer("odd")]);
    const before = hub.tools();
    const changesBefore = room.changes;

    expect(hub.tools()).toBe(before);
    await toolOf(hub, "mcp_odd_grow").call({ name: "new" });
    await until(() => hub.tools().some(({ name }) => name === "mcp_odd_new"));

    expect(hub.tools().slice(0, before.length)).toEqual(before);
    expect(hub.tools()[0]).toBe(before[0]);
    expect(room.changes - changesBefore).toBeLessThanOrEqual(2);
  });

  test("is read page by page", async () => {
    const { hub } = await hubOf([oddServer("odd", ["--pages=3"])]);

    expect(
      hub
        .tools()
        .slice(-2)
        .map(({ name }) => name),
    ).toEqual(["mcp_odd_page1", "mcp_odd_page2"]);
  });

  test("beyond all reason is cut", async () => {
    const { hub, room } = await hubOf([oddServer("odd", ["--pages=50", "--many=100"])]);

    expect(hub.tools()).toHaveLength(1_024);
    expect(room.logged.join()).toContain("only the first 1024");
  });

  test.each([
    { flag: "--circle", why: "goes round in circles" },
    { flag: "--pages=200", why: "more than 100 pages" },
    { flag: "--no-list", why: "is no list" },
  ])("that cannot be read fails the server: $flag", async ({ flag, why }) => {
    const { hub, room } = await hubOf([oddServer("odd", [flag])]);

    expect(hub.tools()).toEqual([]);
    expect(room.notices).toEqual([expect.stringContaining(`"odd" cannot be used: its list of tools`)]);
    expect(room.notices[0]).toContain(why);
  });
});

test.skipIf(process.platform !== "linux")("what a server started outside of its group ends with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agentao-stray-"));
  const file = join(folder, "pid");
  const args = ["-c", `setsid sleep 600 & echo $! >${file}; exec sleep 600`];
  const hub = createHub([server("stray", { type: "stdio", command: "/bin/sh", args, env: {} })], roomFor());
  open.push(hub);
  try {
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    const pid = Number(readFileSync(file, "utf8"));
    expect(isAlive(pid)).toBe(true);

    await hub.close();

    await until(() => !isAlive(pid));
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe("a server that fails", () => {
  test("to start is named with its last words, once, without secrets", async () => {
    const { hub, room } = await hubOf([oddServer("odd", ["--die-at-start"])]);

    expect(room.notices).toEqual([
      'The MCP server "odd" cannot be used: it exited with code 3: cannot start: bad token [redacted].',
    ]);
    expect(hub.reports()).toMatchObject([
      { state: { type: "failed" }, tools: [], lastError: expect.stringContaining("code 3") },
    ]);
  });

  test("to be found is named with what to do", async () => {
    const { room } = await hubOf([server("uv", { type: "stdio", command: "uvx-is-not-here", args: [], env: {} })]);

    expect(room.notices).toEqual([
      'The MCP server "uv" cannot be used: command not found: uvx-is-not-here. Install it, or configure its full path.',
    ]);
  });

  test("to have a folder is named with it", async () => {
    const transport = { type: "stdio", command: "node", args: [], env: {}, cwd: "/no/such/folder" } as const;
    const { room } = await hubOf([
      server("lost", transport),
      server("away", { ...transport, cwd: "/", command: "./x" }),
    ]);

    expect(room.notices.toSorted()).toEqual([
      'The MCP server "away" cannot be used: no program at /x: check the configured command.',
      'The MCP server "lost" cannot be used: there is no folder /no/such/folder to start it in.',
    ]);
  });

  test("to say anything is given up in time, and the others are there", async () => {
    const started = performance.now();
    const { hub, room } = await hubOf([oddServer("silent", ["--silent"], { startMs: 1_500 }), oddServer("odd")]);

    expect(performance.now() - started).toBeLessThan(6_000);
    expect(room.notices).toEqual(['The MCP server "silent" cannot be used: it did not answer within 1.5 s.']);
    expect((await toolOf(hub, "mcp_odd_echo").call({ text: "x" })).text).toBe("echo: x");
  });

  test("is not waited for longer than asked", async () => {
    const room = roomFor();
    const began = performance.now();
    const hub = createHub([oddServer("silent", ["--silent"])], room);
    open.push(hub);

    expect(performance.now() - began).toBeLessThan(200);
    expect(hub.reports()).toMatchObject([{ state: { type: "connecting" } }]);
    await hub.settled(50, never);
    await hub.settled(60_000, AbortSignal.abort());

    expect(performance.now() - began).toBeLessThan(2_000);
    expect(hub.reports()).toMatchObject([{ state: { type: "connecting" } }]);
  });

  test("in the middle of a call fails that call, is not asked again, and comes back", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agentao-mcp-"));
    const record = join(folder, "starts");
    const { hub, room } = await hubOf([oddServer("odd", [`--record=${record}`])]);
    const tools = hub.tools();

    const died = await toolOf(hub, "mcp_odd_die").call({});
    const after = await toolOf(hub, "mcp_odd_echo").call({ text: "back" });

    expect(died).toMatchObject({ failed: true, text: "Error: odd: the server exited with code 9: I am dying" });
    expect(after.text).toBe("echo: back");
    expect(hub.tools()).toBe(tools);
    expect((await readFile(record, "utf8")).trim().split("\n")).toHaveLength(2);
    expect(room.notices).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test("is told once when it cannot come back, and can be started anew", async () => {
    const script = "require('fs').existsSync(process.argv[1]) ? require(process.argv[1]) : process.exit(4)";
    const { hub, room } = await hubOf([nodeServer("gone", ["-e", script, "/no/such/file"])]);

    expect(room.notices).toHaveLength(1);
    hub.restart("gone");
    expect(hub.reports()).toMatchObject([{ state: { type: "connecting" } }]);
    await until(() => room.notices.length === 2);
    expect(hub.reports()).toMatchObject([{ state: { type: "failed", why: "it exited with code 4" } }]);
  });
});

describe("what a server asks", () => {
  test("of the person goes to the person", async () => {
    const { hub } = await hubOf([oddServer("odd")], {
      elicit: async (request) =>
        request.type === "form"
          ? { type: "accepted", content: { which: `${request.server}: ${request.message}` } }
          : { type: "declined" },
    });

    expect(JSON.parse((await toolOf(hub, "mcp_odd_ask").call({})).text)).toEqual({
      action: "accept",
      content: { which: "odd: Which?" },
    });
  });

  test("of the model goes to the model", async () => {
    const { hub } = await hubOf([oddServer("odd")], {
      sample: async ({ messages, maxTokens }) => ({
        type: "answered",
        model: "m",
        text: JSON.stringify({ messages, maxTokens }),
        stopReason: "endTurn",
      }),
    });

    const { content } = JSON.parse((await toolOf(hub, "mcp_odd_sample").call({})).text);

    expect(JSON.parse(content.text)).toEqual({
      messages: [{ role: "user", parts: [{ type: "text", text: "Hm?" }] }],
      maxTokens: 10,
    });
  });

  test.each(["ask", "sample"])("is refused when nobody can answer: %s", async (name) => {
    const { hub } = await hubOf([oddServer("odd")]);

    expect(JSON.parse((await toolOf(hub, `mcp_odd_${name}`).call({})).text)).toMatchObject({ code: -32601 });
  });
});

describe("the end of a hub", () => {
  test.each([
    { name: "plain", flags: [] },
    { name: "that ignores the end of its input and SIGTERM", flags: ["--stubborn"] },
  ])("is the end of its servers within a second: one $name", async ({ flags }) => {
    const { hub } = await hubOf([oddServer("odd", flags)]);
    const pids = (await toolOf(hub, "mcp_odd_family").call({})).text.split(" ").map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);

    const began = performance.now();
    await hub.close();

    expect(performance.now() - began).toBeLessThan(1_500);
    await until(() => !pids.some(isAlive), "they end", 2_000);
    expect(hub.tools()).toEqual([]);
    expect(hub.reports()).toMatchObject([{ state: { type: "closed" } }]);
  });

  test("leaves nothing when it comes while servers are starting", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agentao-mcp-"));
    const record = join(folder, "starts");
    const room = roomFor();
    const hub = createHub([oddServer("a", ["--silent", `--record=${record}`]), oddServer("b")], room);
    await hub.settled(300, never);
    await hub.close();

    const started = await readFile(record, "utf8").catch(() => "");
    expect(started.trim().split("\n").filter(Boolean).map(Number).some(isAlive)).toBe(false);
    expect(room.notices).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test("fails the calls that are under way", async () => {
    const { hub } = await hubOf([oddServer("odd")]);
    const calling = toolOf(hub, "mcp_odd_slow").call({});
    await new Promise((resolve) => setTimeout(resolve, 30));

    await hub.close();

    expect(await calling).toMatchObject({ failed: true });
  });
});
