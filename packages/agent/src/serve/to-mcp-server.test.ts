import { RpcError } from "@agentao/acp";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ServerConfig, ServerTransport } from "../mcp/server.ts";
import { toMcpServers } from "./to-mcp-server.ts";

const config = (name: string, transport: ServerTransport): ServerConfig => ({
  name,
  source: "client",
  trust: false,
  startMs: 60_000,
  transport,
});
const stdio = { type: "stdio", command: "run", args: [], env: {} } as const;

test.each<[string, unknown, readonly ServerConfig[]]>([
  ["a missing list", undefined, []],
  ["null", null, []],
  ["an empty list", [], []],
  ["a bare command", [{ name: "a", command: "run" }], [config("a", stdio)]],
  ["a tagged command", [{ type: "stdio", name: "a", command: "run", args: [], env: [] }], [config("a", stdio)]],
  ["a tag that is null", [{ type: null, name: "a", command: "run", args: null, env: null }], [config("a", stdio)]],
  [
    "arguments and variables",
    [
      {
        name: "a",
        command: "run",
        args: ["-v", ""],
        env: [
          { name: "K", value: "1" },
          { name: "K", value: "" },
        ],
      },
    ],
    [config("a", { ...stdio, args: ["-v", ""], env: { K: "" } })],
  ],
  [
    "http with headers",
    [
      {
        type: "http",
        name: "h",
        url: "http://127.0.0.1:1/mcp",
        headers: [{ name: "Authorization", value: "Bearer x" }],
      },
    ],
    [config("h", { type: "http", url: "http://127.0.0.1:1/mcp", headers: { Authorization: "Bearer x" } })],
  ],
  [
    "sse without headers",
    [{ type: "sse", name: "s", url: "http://h/s" }],
    [config("s", { type: "sse", url: "http://h/s", headers: {} })],
  ],
  [
    "one name twice",
    [
      { name: "a", command: "one" },
      { name: "b", command: "run" },
      { name: "a", command: "two" },
    ],
    [config("a", { ...stdio, command: "two" }), config("b", stdio)],
  ],
  ["a trust that nobody asked for", [{ name: "a", command: "run", trust: true, source: "user" }], [config("a", stdio)]],
])("reads %s", (_, servers, configs) => {
  expect(toMcpServers(servers)).toEqual(configs);
});

test("keeps names of prototypes as plain names", () => {
  const [server] = toMcpServers([{ name: "__proto__", command: "run", env: [{ name: "__proto__", value: "x" }] }]);
  expect(server?.name).toBe("__proto__");
  expect(server?.transport.type === "stdio" && Object.entries(server.transport.env)).toEqual([["__proto__", "x"]]);
});

const named = (more: object): object[] => [{ name: "a", command: "run", ...more }];

test.each<[unknown, string]>([
  [{}, " must be a JSON array"],
  ["x", " must be a JSON array"],
  [["x"], "[0] must be a JSON object"],
  [[[]], "[0] must be a JSON object"],
  [[{ command: "run" }], "[0].name must be a non-empty string"],
  [[{ name: "", command: "run" }], "[0].name must be a non-empty string"],
  [named({ type: "ws" }), "[0].type must be one of 'stdio', 'sse', 'http', got 'ws'"],
  [named({ type: [["ws"]] }), "[0].type must be one of 'stdio', 'sse', 'http', got 'object'"],
  [named({ type: "acp", serverId: "1" }), "[0].type must be one of 'stdio', 'sse', 'http', got 'acp'"],
  [[{ name: "a" }], "[0].command must be a non-empty string"],
  [named({ command: "" }), "[0].command must be a non-empty string"],
  [named({ args: "-v" }), "[0].args must be an array of strings"],
  [named({ args: [1] }), "[0].args must be an array of strings"],
  [
    [
      { name: "a", command: "run" },
      { type: "http", name: "b", url: "" },
    ],
    "[1].url must be a non-empty string",
  ],
  [named({ env: { A: "b" } }), "[0].env must be a JSON array"],
  [named({ env: ["A=b"] }), "[0].env[0] must be a JSON object"],
  [named({ env: [{ value: "b" }] }), "[0].env[0].name must be a string"],
  [named({ env: [{ name: "A", value: "b" }, { name: "B" }] }), "[0].env[1].value must be a string"],
  [
    [{ type: "sse", name: "a", url: "http://h", headers: [{ name: "A", value: 1 }] }],
    "[0].headers[0].value must be a string",
  ],
])("refuses %j", (servers, problem) => {
  const refused = expect(() => toMcpServers(servers));
  refused.toThrow(RpcError.invalidParams(`Invalid params: session/new.mcpServers${problem}`));
});

test("names the method that was called, with the code of invalid params", () => {
  try {
    toMcpServers(1, "session/load");
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      code: -32602,
      message: "Invalid params: session/load.mcpServers must be a JSON array",
    });
  }
});

test("answers or refuses, whatever it is given, and never repeats a value", () => {
  const entry = fc.dictionary(
    fc.constantFrom("name", "type", "command", "args", "env", "url", "headers"),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), entry)), (servers) => {
      try {
        for (const { source, trust } of toMcpServers(servers)) expect([source, trust]).toEqual(["client", false]);
      } catch (error) {
        expect(error).toBeInstanceOf(RpcError);
        expect((error as Error).message.length).toBeLessThan(300);
      }
    }),
  );
});
