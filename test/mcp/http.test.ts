// Servers over HTTP: the official one in both of its transports, one of the newer library, and ones that are not there.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { createHub, type Hub, type HubRoom } from "../../packages/agent/src/mcp/hub.ts";
import type { ServerConfig } from "../../packages/agent/src/mcp/server.ts";
import { until } from "../process/until.ts";
import { everything, never, nodeServer, roomFor, server, toolOf, twoEraServer } from "./stage.ts";

const open: Hub[] = [];
const children: ChildProcess[] = [];
const listeners: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hub) => hub.close()));
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const listener of listeners.splice(0)) {
    listener.closeAllConnections();
    listener.close();
  }
});

async function hubOf(configs: readonly ServerConfig[], more: Partial<HubRoom> = {}) {
  const room = roomFor(more);
  const hub = createHub(configs, room);
  open.push(hub);
  await hub.settled(20_000, never);
  return { hub, room };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function startEverything(way: "sse" | "streamableHttp", port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, way], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    if (/port/i.test(line)) break;
  }
  child.stderr?.resume();
  return child;
}

const ways = [
  { way: "stdio" as const },
  { way: "http" as const, program: "streamableHttp" as const, path: "/mcp" },
  { way: "sse" as const, program: "sse" as const, path: "/sse" },
];

describe.each(ways)("the official server over $way", ({ way, program, path }) => {
  async function connect(more: Partial<HubRoom> = {}) {
    if (program === undefined) return hubOf([nodeServer("every", [everything, "stdio"], { trust: true })], more);
    const port = await freePort();
    await startEverything(program, port);
    const transport = { type: way, url: `http://127.0.0.1:${port}${path}`, headers: {} } as ServerConfig["transport"];
    return hubOf([server("every", transport, { trust: true })], more);
  }

  test("is used with all it has", async () => {
    const { hub, room } = await connect({
      elicit: async () => ({ type: "declined" }),
      sample: async () => ({ type: "answered", model: "m", text: "sampled", stopReason: "endTurn" }),
    });
    const call = (name: string, input: object) => toolOf(hub, `mcp_every_${name}`).call({ ...input });

    expect(room.notices).toEqual([]);
    expect(await call("echo", { message: "hi" })).toMatchObject({ failed: false, text: "Echo: hi" });
    expect((await call("get-sum", { a: 1, b: 2 })).text).toContain("3");
    expect((await call("get-tiny-image", {})).told).toContainEqual(
      expect.objectContaining({ type: "image", mimeType: "image/png" }),
    );
    expect((await call("get-resource-links", { count: 2 })).text).toContain("(demo://resource/");
    expect((await call("get-resource-reference", { resourceType: "Text", resourceId: 1 })).text).toContain(
      "[demo://resource/dynamic/text/1]\n",
    );
    expect((await call("get-structured-content", { location: "New York" })).text).toContain('"temperature"');
    expect((await call("trigger-sampling-request", { prompt: "p", maxTokens: 5 })).text).toContain("sampled");
    expect((await call("trigger-elicitation-request", {})).text).toMatch(/declin/i);

    const long = toolOf(hub, "mcp_every_trigger-long-running-operation");
    expect((await long.call({ duration: 0.3, steps: 3 })).failed).toBe(false);
    expect(long.shown.at(-1)).toEqual([{ type: "text", text: "3 of 3" }]);

    expect(hub.prompts().map(({ name }) => name)).toContain("args-prompt");
    expect(await hub.getPrompt("every", "args-prompt", { city: "Bern" }, never)).toMatchObject({
      type: "read",
      messages: [{ role: "user", parts: [{ type: "text", text: expect.stringContaining("Bern") }] }],
    });
    expect(await hub.readResource("every", "demo://resource/dynamic/text/1", never)).toMatchObject({
      type: "read",
      parts: [{ type: "resource", uri: "demo://resource/dynamic/text/1", text: expect.stringContaining("Resource 1") }],
    });
    expect(await hub.readResource("every", "demo://nothing", never)).toMatchObject({ type: "failed" });
  });
});

describe("a server of the newer library", () => {
  test("is used over stdio", async () => {
    const { hub, room } = await hubOf([nodeServer("new", [twoEraServer, "stdio"], { trust: true })]);

    expect(room.notices).toEqual([]);
    expect((await toolOf(hub, "mcp_new_weather").call({ city: "Bern" })).text).toBe("Rain in Bern");
    expect(JSON.parse((await toolOf(hub, "mcp_new_structured").call({})).text)).toEqual({ rain: true });
  });

  test.each(["both", "modern-only"])("is used over HTTP, whatever it speaks: %s", async (eras) => {
    const child = spawn(process.execPath, [twoEraServer, "http", eras], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { hub, room } = await hubOf([
      server("new", { type: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} }),
    ]);

    expect(room.notices).toEqual([]);
    expect((await toolOf(hub, "mcp_new_weather").call({ city: "Bern" })).text).toBe("Rain in Bern");
  });
});

describe("a server over HTTP", () => {
  test.each(["http" as const, "sse" as const])("that is not there is named, once: %s", async (type) => {
    const url = `http://127.0.0.1:${await freePort()}/mcp?token=very-secret-token`;
    const { hub, room } = await hubOf([server("dead", { type, url, headers: {} })]);

    expect(hub.reports()).toMatchObject([{ state: { type: "failed" } }]);
    expect(room.notices).toEqual(['The MCP server "dead" cannot be used: nobody listens there (ECONNREFUSED).']);
    expect(JSON.stringify([room.logged, hub.reports()])).not.toContain("very-secret-token");
  });

  test.each(["http" as const, "sse" as const])("that never answers is given up in time: %s", async (type) => {
    const url = await listen(() => {});
    const { room } = await hubOf([server("mute", { type, url, headers: {} }, { startMs: 500 })]);

    expect(room.notices).toEqual(['The MCP server "mute" cannot be used: it did not answer within 0.5 s.']);
  });

  test("is sent our name and the configured headers, which are never repeated", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const url = await listen((request, response) => {
      seen.push(request.headers);
      response.writeHead(500).end(`no: ${request.headers.authorization}`);
    });
    const headers = { Authorization: "Bearer tell-nobody-this", "X-Team": "blue-team-x" };
    const { hub, room } = await hubOf([server("strict", { type: "http", url, headers })]);

    expect(seen[0]).toMatchObject({
      "user-agent": "agentao-mcp/1.2.3",
      authorization: "Bearer tell-nobody-this",
      "x-team": "blue-team-x",
    });
    expect(room.notices).toEqual([
      expect.stringMatching(/^The MCP server "strict" cannot be used: HTTP 500: .*\[redacted\]/),
    ]);
    expect(JSON.stringify([room.notices, room.logged, hub.reports()])).not.toContain("tell-nobody-this");
  });

  test("that refuses our credentials is not asked again and again", async () => {
    let asked = 0;
    const url = await listen((_request, response) => {
      asked++;
      response.writeHead(401).end();
    });
    const { room } = await hubOf([server("locked", { type: "http", url, headers: {} })]);

    expect(room.notices).toEqual([expect.stringContaining("refuses our credentials (HTTP 401)")]);
    expect(asked).toBe(1);
  });

  test("that was started anew is connected again, and the call that met it reaches it once", async () => {
    const port = await freePort();
    const first = await startEverything("streamableHttp", port);
    const url = `http://127.0.0.1:${port}/mcp`;
    const { hub, room } = await hubOf([server("every", { type: "http", url, headers: {} })]);
    expect((await toolOf(hub, "mcp_every_echo").call({ message: "one" })).text).toBe("Echo: one");

    first.kill("SIGKILL");
    await once(first, "exit");
    await startEverything("streamableHttp", port);

    expect((await toolOf(hub, "mcp_every_echo").call({ message: "two" })).text).toBe("Echo: two");
    await until(() => hub.reports()[0]?.state.type === "connected");
    expect(room.notices).toEqual([]);
  });

  test.each([
    { type: "http" as const, program: "streamableHttp" as const, path: "/mcp" },
    { type: "sse" as const, program: "sse" as const, path: "/sse" },
  ])("that dies in the middle of a call fails that call: $type", async ({ type, program, path }) => {
    const port = await freePort();
    const child = await startEverything(program, port);
    const { hub } = await hubOf([server("every", { type, url: `http://127.0.0.1:${port}${path}`, headers: {} })]);
    const long = toolOf(hub, "mcp_every_trigger-long-running-operation");

    const calling = long.call({ duration: 60, steps: 600 });
    await until(() => long.shown.length > 0);
    child.kill("SIGKILL");

    expect(await calling).toMatchObject({
      failed: true,
      text: expect.stringContaining("Error: every: the connection"),
    });
  });

  test("that answers without end is not read without end", async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => void (response.writable && response.write(Buffer.alloc(1_000_000, " "), more));
      more();
    });
    const { room } = await hubOf([server("endless", { type: "http", url, headers: {} })]);

    expect(room.notices).toEqual([expect.stringContaining("more than 32 MB")]);
  });

  test("that is of the oldest kind is understood, also when it is not called so", async () => {
    const port = await freePort();
    await startEverything("sse", port);
    const { hub, room } = await hubOf([
      server("old", { type: "http", url: `http://127.0.0.1:${port}/sse`, headers: {} }),
    ]);

    expect(room.notices).toEqual([]);
    expect((await toolOf(hub, "mcp_old_echo").call({ message: "hi" })).text).toBe("Echo: hi");
  });

  test("that is no address is refused", async () => {
    const { room } = await hubOf([server("bad", { type: "http", url: "not an address", headers: {} })]);

    expect(room.notices).toEqual(['The MCP server "bad" cannot be used: Invalid URL.']);
  });
});

async function listen(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const listener = createServer(handle as never).listen(0, "127.0.0.1");
  listeners.push(listener);
  await once(listener, "listening");
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
}
