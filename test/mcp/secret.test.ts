// Credentials a client gives to servers reach those servers, and nobody else: no frame, no request to the model, no entry
// of the journal and no line of the log has them.

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { call, text, when } from "../../packages/agent/src/model/script.ts";
import { errorOf } from "../agent/seen.ts";
import { connect, everythingSaid, type GivenServer, odd, openWith, SECRET, scene, told } from "./door.ts";

const listeners: Server[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) {
    listener.closeAllConnections();
    listener.close();
  }
});

/** Frames as a client sends them hold what it knows; what matters is what comes from us. */
async function said(servers: readonly GivenServer[], prompts: readonly string[], calls: readonly string[]) {
  const logged: string[] = [];
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^call \d+$/, lastResult: /./ }, text("done")),
      ...calls.map((name, at) => when({ lastUserText: new RegExp(`^call ${at}$`) }, call(name))),
      when({}, text("ok")),
    ],
    runtime: { log: (line) => void logged.push(line) },
  });
  const sessionId = await openWith(scripted, ...servers);
  for (const prompt of [...calls.map((_, at) => `call ${at}`), ...prompts, "/mcp"]) {
    await scripted.prompt(sessionId, prompt);
  }
  const results = told(scripted);
  await scripted.client.closeSession(sessionId);
  const whole = JSON.parse(await everythingSaid(scripted, sessionId)) as [{ from: string }[], unknown, unknown];
  const ours = whole[0].filter(({ from }) => from === "agent");
  return { results, everything: JSON.stringify([ours, whole[1], whole[2], logged]) };
}

test("what is in the environment of a server stays there", async () => {
  const { results, everything } = await said(
    [odd("odd", "--garbage"), odd("dying", "--die-at-start"), scene("scene")],
    ["@scene:scene://nothing"],
    ["mcp_odd_environment", "mcp_odd_die"],
  );

  expect(results[0]).toContain('"ODD_TOKEN":"[redacted]"');
  expect(everything).toContain("bad token [redacted]");
  expect(everything).toContain("cannot be read");
  expect(everything).not.toContain(SECRET);
});

test("what a server tells of it in a prompt or a resource is hidden too", async () => {
  const { everything } = await said([scene("scene")], ["@scene:scene://leak", "/mcp__scene__leaky"], []);

  expect(everything).toContain("my token is");
  expect(everything).not.toContain(SECRET);
});

test("C-152 headers reach a server over HTTP, and stay there", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const url = await listen(seen, "answers");
  const headers = [{ name: "Authorization", value: `Bearer ${SECRET}` }];

  const { results, everything } = await said([{ type: "http", name: "web", url, headers }], [], ["mcp_web_mirror"]);

  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${SECRET}`]));
  expect(results[0]).toBe("you sent [redacted]");
  expect(everything).not.toContain(SECRET);
});

test("C-154 a server that refuses credentials, and repeats them, is told without them", async () => {
  const url = await listen([], "refuses");
  const headers = [{ name: "X-Api-Key", value: SECRET }];

  const { everything } = await said([{ type: "http", name: "web", url: `${url}?token=${SECRET}`, headers }], [], []);

  expect(everything).toContain("cannot be used");
  expect(everything).not.toContain(SECRET);
});

test("an entry that is refused is refused without its credentials", async () => {
  await using scripted = await connect();
  const given = { name: " ", command: "x", args: [], env: [{ name: "TOKEN", value: SECRET }] };

  const refused = await errorOf(scripted.client.newSession({ cwd: scripted.cwd, mcpServers: [given] }));

  expect(refused.code).toBe(-32602);
  expect(JSON.stringify(refused)).not.toContain(SECRET);
});

/** The least an MCP server over HTTP can be: it answers each message with one. */
async function listen(seen: IncomingHttpHeaders[], how: "answers" | "refuses"): Promise<string> {
  const listener = createServer(async (request, response) => {
    seen.push(request.headers);
    const credentials = `${request.headers.authorization ?? request.headers["x-api-key"]}`;
    if (how === "refuses") return response.writeHead(401).end(`bad credentials: ${credentials} at ${request.url}`);
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = body === "" ? ({} as never) : JSON.parse(body);
    if (request.method !== "POST") return response.writeHead(405).end();
    if (id === undefined) return response.writeHead(202).end();
    const result = answer(method, params, credentials);
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }).listen(0, "127.0.0.1");
  listeners.push(listener);
  await once(listener, "listening");
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
}

function answer(method: string, params: { protocolVersion: string }, credentials: string): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "web", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "mirror", inputSchema: { type: "object" } }] };
    default:
      return { content: [{ type: "text", text: `you sent ${credentials}` }] };
  }
}
