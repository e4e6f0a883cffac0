// The official server over each way a client can name, through the door: offered, called, shown.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { call } from "../../packages/agent/src/model/script.ts";
import { connect, type GivenServer, notices, offered, official, openWith, script, told } from "./door.ts";
import { everything } from "./stage.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function startOfficial(way: "sse" | "streamableHttp"): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, way], { env, stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    if (/port/i.test(line)) break;
  }
  child.stderr?.resume();
  return port;
}

test.each<readonly [string, () => Promise<GivenServer>]>([
  ["stdio", async () => official("every")],
  [
    "http",
    async () => ({ type: "http", name: "every", url: `http://127.0.0.1:${await startOfficial("streamableHttp")}/mcp` }),
  ],
  [
    "sse",
    async () => ({
      type: "sse",
      name: "every",
      url: `http://127.0.0.1:${await startOfficial("sse")}/sse`,
      headers: [{ name: "X-Who", value: "a client" }],
    }),
  ],
])("C-152, C-153 a server over %s is used as it is advertised", async (_, start) => {
  await using scripted = await connect({
    script: script(call("mcp_every_echo", { message: "hi" }), call("mcp_every_get-sum", { a: 2, b: 3 })),
  });

  const sessionId = await openWith(scripted, await start());
  const { stopReason } = await scripted.prompt(sessionId, "go");

  expect(stopReason).toBe("end_turn");
  expect(notices(scripted, sessionId)).toEqual([]);
  expect(offered(scripted)).toEqual(expect.arrayContaining(["mcp_every_echo", "mcp_every_get-sum"]));
  expect(told(scripted)).toEqual(["Echo: hi", expect.stringContaining("5")]);
});

test("C-153 http and sse are advertised", async () => {
  await using scripted = await connect({ initialize: false });

  const { agentCapabilities } = await scripted.client.initialize();

  expect(agentCapabilities?.mcpCapabilities).toEqual({ http: true, sse: true });
});
