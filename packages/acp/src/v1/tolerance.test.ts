// How forgiving the decoders are, statement by statement. Ids are those of the conformance list.

import { describe, expect, test } from "vitest";
import { type Decoder, explain, INVALID } from "../decode/decode.ts";
import { decodeSessionUpdate } from "./generated/decode.ts";
import { methods } from "./generated/method.ts";
import { methods as unstable } from "./generated-unstable/method.ts";

/** What a decoder makes of a message, or why it refuses it. */
function read(decode: Decoder<unknown>, message: unknown): unknown {
  const decoded = decode(message);
  return decoded === INVALID ? `refused: ${explain()}` : decoded;
}

const update = (fields: object) => ({ sessionId: "s", update: fields });
const readUpdate = (fields: object) => read(methods["session/update"].params, update(fields));
const readNew = (fields: object) => read(methods["session/new"].params, { cwd: "/w", ...fields });
const readInitialized = (fields: object) => read(methods.initialize.result, { protocolVersion: 1, ...fields });

describe("tolerance", () => {
  test("C-350 reads a malformed tolerant field as its default, or as absent, and keeps the message", () => {
    expect(readInitialized({ agentCapabilities: "yes", authMethods: 5, agentInfo: { name: 1 } })).toEqual({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: {},
        auth: {},
      },
      authMethods: [],
    });
  });

  test("C-350 reads null as malformed where null is not allowed, and as it is where it is", () => {
    const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "t" };
    expect(readUpdate({ ...call, kind: null, content: null, name: null })).toEqual(update({ ...call, name: null }));
  });

  test("C-351 drops bad items and keeps the good ones", () => {
    const good = { content: "a", priority: "high", status: "pending" };
    const entries = [{ content: "b" }, good, null, { ...good, _meta: 1 }];
    expect(readUpdate({ sessionUpdate: "plan", entries })).toEqual(
      update({ sessionUpdate: "plan", entries: [good, good] }),
    );
  });

  test("C-352 reads null as empty, and refuses what is malformed", () => {
    expect(readNew({ mcpServers: null, additionalDirectories: null })).toEqual({
      cwd: "/w",
      mcpServers: [],
      additionalDirectories: [],
    });
    expect(readNew({ mcpServers: "none" })).toBe("refused: /mcpServers: expected an array");
    expect(readNew({ mcpServers: [], additionalDirectories: ["/a", 1] })).toBe(
      "refused: /additionalDirectories/1: expected a string",
    );
  });

  test("C-352 leaves an optional field out that was left out", () => {
    const message = { cwd: "/w", mcpServers: [] };
    expect(methods["session/new"].params(message)).toBe(message);
  });

  test.each([
    ["session/list", methods["session/list"].result, {}, "sessions", {}],
    ["session/set_config_option", methods["session/set_config_option"].result, {}, "configOptions", {}],
    ["plan", decodeSessionUpdate, { sessionUpdate: "plan" }, "entries", {}],
    [
      "available_commands_update",
      decodeSessionUpdate,
      { sessionUpdate: "available_commands_update" },
      "availableCommands",
    ],
    ["config_option_update", decodeSessionUpdate, { sessionUpdate: "config_option_update" }, "configOptions"],
  ] as [string, Decoder<unknown>, object, string][])(
    "C-353 needs the key of a tolerant list, not its value: %s",
    (_, decode, message, key) => {
      expect(read(decode, message)).toBe(`refused: /${key}: expected an array`);
      expect(read(decode, { ...message, [key]: "garbage" })).toEqual({ ...message, [key]: [] });
      expect(read(decode, { ...message, [key]: null })).toEqual({ ...message, [key]: [] });
    },
  );

  test("C-353 needs the keys of the lists within modes and groups too", () => {
    const readModes = (modes: object) => read(methods["session/new"].result, { sessionId: "s", modes });
    expect(readModes({ currentModeId: "a", availableModes: 1 })).toEqual({
      sessionId: "s",
      modes: { currentModeId: "a", availableModes: [] },
    });
    expect(readModes({ currentModeId: "a" })).toEqual({ sessionId: "s" });
    const option = { id: "o", name: "O", type: "select", currentValue: "v" };
    const readGroup = (group: object) =>
      read(methods["session/set_config_option"].result, { configOptions: [{ ...option, options: [group] }] });
    expect(readGroup({ group: "g", name: "G", options: 1 })).toEqual({
      configOptions: [{ ...option, options: [{ group: "g", name: "G", options: [] }] }],
    });
    expect(readGroup({ group: "g", name: "G" })).toEqual({ configOptions: [] });
  });

  test("C-354 refuses a malformed field without a marker, and says where but not what", () => {
    const readTerminal = (fields: object) =>
      read(methods["terminal/create"].params, { sessionId: "s", command: "c", ...fields });
    expect(readTerminal({ cwd: 1 })).toBe("refused: /cwd: expected a string or null");
    expect(readTerminal({ env: [{ name: "TOKEN", value: { secret: true } }] })).toBe(
      "refused: /env/0/value: expected a string",
    );
    expect(read(methods["session/prompt"].params, { sessionId: "s", prompt: [{ type: "text", text: 7 }] })).toBe(
      "refused: /prompt/0/text: expected a string",
    );
    expect(read(methods["session/prompt"].result, { stopReason: "tired" })).toBe(
      "refused: /stopReason: expected one of end_turn, max_tokens, max_turn_requests, refusal, cancelled",
    );
    expect(read(methods["session/cancel"].params, [])).toBe("refused: expected an object");
  });

  test("C-355 reads malformed _meta as absent, at every depth", () => {
    const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "t" } };
    const damaged = { ...chunk, _meta: 1, content: { ...chunk.content, _meta: [] } };
    expect(read(methods["session/update"].params, { ...update(damaged), _meta: "x" })).toEqual(update(chunk));
    const kept = { ...update({ ...chunk, _meta: null }), _meta: { "example.com/trace": 1 } };
    expect(methods["session/update"].params(kept)).toBe(kept);
  });

  test("C-356 reads an unknown tool kind or status as absent, and keeps the update", () => {
    const call = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "t" };
    expect(readUpdate({ ...call, kind: "dream", status: "asleep" })).toEqual(update(call));
  });

  test("C-357 reads a malformed capability as its default and keeps its siblings", () => {
    const agentCapabilities = {
      loadSession: "true",
      promptCapabilities: { image: 1, audio: true },
      mcpCapabilities: [],
      sessionCapabilities: { list: true, resume: {}, close: null },
    };
    expect(readInitialized({ agentCapabilities })).toEqual({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { resume: {}, close: null },
      },
    });
    expect(
      read(methods.initialize.params, {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: 0 }, terminal: true },
      }),
    ).toEqual({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: false }, terminal: true },
    });
  });

  test("C-358 skips malformed sign-in methods", () => {
    const agent = { id: "a", name: "A" };
    const terminal = { type: "terminal", id: "t", name: "T", args: ["--login"] };
    expect(readInitialized({ authMethods: [agent, { id: "b" }, terminal, "c"] })).toEqual({
      protocolVersion: 1,
      authMethods: [agent, terminal],
    });
  });

  test("C-358 never takes a bad terminal method for one of the agent's own", () => {
    const terminal = { type: "terminal", id: "t", name: "T", args: "--login" };
    expect(readInitialized({ authMethods: [terminal] })).toEqual({ protocolVersion: 1, authMethods: [] });
  });

  test("C-359 skips a config option of an unknown type, and keeps the others", () => {
    const known = { id: "a", name: "A", type: "boolean", currentValue: true };
    const slider = { id: "b", name: "B", type: "slider", currentValue: 5 };
    expect(readUpdate({ sessionUpdate: "config_option_update", configOptions: [slider, known] })).toEqual(
      update({ sessionUpdate: "config_option_update", configOptions: [known] }),
    );
  });

  test("C-360 reads missing MCP servers, arguments, variables and headers as none", () => {
    expect(readNew({})).toEqual({ cwd: "/w", mcpServers: [] });
    expect(read(methods["session/load"].params, { sessionId: "s", cwd: "/w" })).toEqual({
      sessionId: "s",
      cwd: "/w",
      mcpServers: [],
    });
    const servers = [
      { name: "a", command: "a" },
      { type: "http", name: "b", url: "http://b" },
    ];
    expect(readNew({ mcpServers: servers })).toEqual({
      cwd: "/w",
      mcpServers: [
        { name: "a", command: "a", args: [], env: [] },
        { type: "http", name: "b", url: "http://b", headers: [] },
      ],
    });
  });

  test("C-360 takes a server that says it is stdio, and never a bad http server for one", () => {
    const stdio = { type: "stdio", name: "a", command: "a", args: [], env: [] };
    expect(readNew({ mcpServers: [stdio] })).toEqual({ cwd: "/w", mcpServers: [stdio] });
    expect(readNew({ mcpServers: [{ ...stdio, type: "http" }] })).toBe("refused: /mcpServers/0/url: expected a string");
  });

  test("C-361 reads a config value with an unknown type as the id of a value, if it is a string", () => {
    const decode = methods["session/set_config_option"].params;
    const request = { sessionId: "s", configId: "c", type: "slider", value: "v" };
    expect(decode(request)).toBe(request);
    expect(read(decode, { ...request, value: 5 })).toBe("refused: /value: expected a string");
    expect(read(decode, { ...request, type: "boolean" })).toBe("refused: /value: expected a boolean");
  });

  test("C-362 takes 64-bit integers beyond what a double holds, and refuses fractions", () => {
    const usage = { sessionUpdate: "usage_update", used: 2 ** 60, size: 2 ** 63 };
    expect(decodeSessionUpdate(usage)).toBe(usage);
    expect(readUpdate({ ...usage, used: 1.5 })).toBe("refused: /update/used: expected an integer of at least 0");
    expect(readUpdate({ ...usage, used: -1 })).toBe("refused: /update/used: expected an integer of at least 0");
  });

  test("C-363 enforces the bounds of 16 and 32 bits", () => {
    const readFile = (line: number) => read(methods["fs/read_text_file"].params, { sessionId: "s", path: "/f", line });
    expect(readFile(4294967295)).toEqual({ sessionId: "s", path: "/f", line: 4294967295 });
    expect(readFile(4294967296)).toBe("refused: /line: expected an integer from 0 to 4294967295 or null");
    expect(readFile(-1)).toBe("refused: /line: expected an integer from 0 to 4294967295 or null");
    expect(read(methods.initialize.params, { protocolVersion: 65536 })).toBe(
      "refused: /protocolVersion: expected an integer from 0 to 65535",
    );
  });
});

describe("unions", () => {
  test.each([
    ["session update", decodeSessionUpdate, { sessionUpdate: "future", _meta: 5, more: [1] }],
    ["content block", methods["session/prompt"].params, { sessionId: "s", prompt: [{ type: "hologram", data: 1 }] }],
    ["outcome", methods["session/request_permission"].result, { outcome: { outcome: "postponed" } }],
    ["elicitation", methods["elicitation/create"].params, { mode: "voice", message: "m", requestId: 1, tone: "c" }],
    ["answer", methods["elicitation/create"].result, { action: "postpone" }],
    ["plan", unstable["session/update"].params, update({ sessionUpdate: "plan_update", plan: { type: "graph" } })],
  ] as [string, Decoder<unknown>, object][])("hand on an unknown %s as it came", (_, decode, message) => {
    expect(decode(message)).toBe(message);
  });

  test("refuse a missing tag, and a known tag with a bad payload", () => {
    expect(read(decodeSessionUpdate, { text: "t" })).toBe("refused: /sessionUpdate: expected a string");
    expect(read(decodeSessionUpdate, { sessionUpdate: "current_mode_update", modeId: "m" })).toBe(
      "refused: /currentModeId: expected a string",
    );
  });

  test("tell embedded text from embedded bytes by their keys", () => {
    const decode = methods["session/prompt"].params;
    const prompt = (resource: object) => ({ sessionId: "s", prompt: [{ type: "resource", resource }] });
    const text = prompt({ uri: "file:///a", text: "t" });
    const blob = prompt({ uri: "file:///a", blob: "AA==", text: 5 });
    expect([decode(text), decode(blob)]).toEqual([text, blob]);
    expect(read(decode, prompt({ uri: "file:///a" }))).toBe(
      "refused: /prompt/0/resource: expected an object with text or blob",
    );
  });

  test("need a session or a request to elicit for, of which a null request id is one", () => {
    const request = { mode: "url", message: "m", elicitationId: "e", url: "https://example.com" };
    const decode = methods["elicitation/create"].params;
    expect(read(decode, request)).toBe("refused: expected an object with sessionId or requestId");
    expect(read(decode, { ...request, requestId: null })).toEqual({ ...request, requestId: null });
    expect(read(decode, { ...request, sessionId: "s", toolCallId: 5 })).toEqual({ ...request, sessionId: "s" });
  });

  test("C-367 read a stop reason that is no string as none", () => {
    const idle = (fields: object) =>
      update({ sessionUpdate: "subagent_update", sessionId: "c", state: { state: "idle", ...fields } });
    const decode = unstable["session/update"].params;
    expect(read(decode, idle({ stopReason: 5, error: "kept, for it belongs to no error" }))).toEqual(
      idle({ error: "kept, for it belongs to no error" }),
    );
    expect(read(decode, idle({ stopReason: "error", error: "malformed" }))).toEqual(idle({ stopReason: "error" }));
  });
});

describe("results", () => {
  test.each(["session/load", "session/delete", "session/set_mode", "fs/write_text_file", "terminal/kill"] as const)(
    "%s may be answered with null or nothing",
    (method) => {
      expect([methods[method].result(null), methods[method].result(undefined)]).toEqual([{}, {}]);
    },
  );

  test("a result with a required field may not", () => {
    expect(read(methods["session/new"].result, null)).toBe("refused: expected an object");
  });
});

describe("hostile input", () => {
  test("C-365 keeps a __proto__ key an ordinary field, also in a copy", () => {
    const message = JSON.parse('{"cwd":"/w","mcpServers":null,"__proto__":{"polluted":true}}');
    const decoded = methods["session/new"].params(message) as object;
    expect(JSON.stringify(decoded)).toBe('{"cwd":"/w","mcpServers":[],"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });

  test("does not walk into what it does not read", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "t", rawInput: deep, _meta: { deep } };
    expect(decodeSessionUpdate(call)).toBe(call);
    expect(readUpdate({ ...call, title: deep })).toBe("refused: /update/title: expected a string");
  });
});
