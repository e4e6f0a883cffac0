import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { toShape } from "./frame-shape.ts";
import type { Sender } from "./recording.ts";
import { replayAgent } from "./replay-agent.ts";
import { replayClient } from "./replay-client.ts";
import { type Said, toPlay } from "./steps.ts";

const ask = (id: unknown, method: string, params: object = {}): object => ({ jsonrpc: "2.0", id, method, params });
const tell = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params });
const reply = (id: unknown, result: unknown): object => ({ jsonrpc: "2.0", id, result });
const options = (...ids: string[]) =>
  ids.map((optionId) => ({ optionId, name: optionId, kind: optionId.replace(/\d/, "") }));

const chunk = tell("session/update", {
  sessionId: "s",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } },
});
const question = ask("p", "session/request_permission", {
  sessionId: "s",
  toolCall: { toolCallId: "c" },
  options: options("allow_once1", "reject_once1"),
});
const cancelledTurn: [Sender, object][] = [
  ["client", ask(0, "initialize", { protocolVersion: 1 })],
  ["agent", reply(0, { protocolVersion: 1 })],
  ["client", ask(1, "session/new", { cwd: "/", mcpServers: [] })],
  ["agent", reply(1, { sessionId: "s" })],
  ["client", ask(2, "session/prompt", { sessionId: "s", prompt: [] })],
  ["agent", chunk],
  ["agent", question],
  ["client", tell("session/cancel", { sessionId: "s" })],
  ["client", reply("p", { outcome: { outcome: "cancelled" } })],
  ["agent", reply(2, { stopReason: "cancelled" })],
];
const play = (lines: readonly (readonly [Sender, object])[]) =>
  toPlay(lines.map(([from, frame], atMs) => ({ from, atMs, frame })));

/** The other side, as a function from what it hears to what it says. */
function peer(respond: (said: Said, heard: readonly Said[]) => object[]) {
  const toPeer = new PassThrough();
  const fromPeer = new PassThrough();
  const heard: Said[] = [];
  let rest = "";
  toPeer.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const said = toShape(JSON.parse(line)) as Said;
      heard.push(said);
      for (const frame of respond(said, heard)) fromPeer.write(`${JSON.stringify(frame)}\n`);
    }
  });
  return { input: fromPeer, output: toPeer, heard };
}

const settings = { speed: "instant", timeoutMs: 2000, signal: new AbortController().signal } as const;
const names = (heard: readonly Said[]): unknown[] => heard.map((said) => ("method" in said ? said.method : said));

test("the client's cancel comes after what it cancels, and before the answer it gave up", async () => {
  const { heard, ...pipes } = peer((said) => {
    if (said.type === "request" && said.method === "initialize") return [reply(0, { protocolVersion: 1 })];
    if (said.type === "request" && said.method === "session/new") return [reply(1, { sessionId: "other" })];
    if (said.type === "request")
      return [JSON.parse(JSON.stringify(chunk).replace('"s"', '"other"')), { ...question, id: 77 }];
    return said.type === "result" ? [reply(2, { stopReason: "cancelled" })] : [];
  });
  const report = await replayClient({ ...settings, ...pipes, play: play(cancelledTurn) });
  expect(report).toEqual({ differences: [], played: 10 });
  expect(names(heard)).toEqual([
    "initialize",
    "session/new",
    "session/prompt",
    "session/cancel",
    { type: "result", id: 77, result: { outcome: { outcome: "cancelled" } } },
  ]);
  expect(heard.slice(2, 4).map((said) => "params" in said && (said.params as { sessionId: string }).sessionId)).toEqual(
    ["other", "other"],
  );
});

test("a choice is made again by its kind, where the agent names its options anew", async () => {
  const lines = cancelledTurn.filter(([, frame]) => !("method" in frame && frame.method === "session/cancel"));
  const chosen = lines.map(([from, frame]) =>
    "id" in frame && frame.id === "p" && from === "client"
      ? ([from, reply("p", { outcome: { outcome: "selected", optionId: "reject_once1" } })] as const)
      : ([from, frame] as const),
  );
  const { heard, ...pipes } = peer((said) => {
    if (said.type === "request" && said.method === "initialize") return [reply(0, { protocolVersion: 1 })];
    if (said.type === "request" && said.method === "session/new") return [reply(1, { sessionId: "s" })];
    if (said.type === "request")
      return [
        chunk,
        ask("q", "session/request_permission", {
          sessionId: "s",
          toolCall: { toolCallId: "c" },
          options: options("allow_once7", "reject_once7"),
        }),
      ];
    return [reply(2, { stopReason: "cancelled" })];
  });
  const { differences } = await replayClient({ ...settings, ...pipes, play: play(chosen) });
  expect(differences).toEqual([]);
  expect(heard.at(-1)).toEqual({
    type: "result",
    id: "q",
    result: { outcome: { outcome: "selected", optionId: "reject_once7" } },
  });
});

test("the agent's part is played in order, to the ids the client uses now", async () => {
  const { heard, ...pipes } = peer((said) => {
    if (said.type === "request" && said.method === "session/request_permission") {
      return [tell("session/cancel", { sessionId: "s" }), reply(said.id, { outcome: { outcome: "cancelled" } })];
    }
    if (said.type !== "result") return [];
    if (said.id === "a") return [ask("b", "session/new", { cwd: "/", mcpServers: [] })];
    if (said.id === "b") return [ask("c", "session/prompt", { sessionId: "s", prompt: [] })];
    pipes.input.end();
    return [];
  });
  pipes.input.write(`${JSON.stringify(ask("a", "initialize", { protocolVersion: 1 }))}\n`);
  const report = await replayAgent({ ...settings, ...pipes, play: play(cancelledTurn) });
  expect(report).toEqual({ differences: [], played: 10 });
  expect(heard).toEqual([
    { type: "result", id: "a", result: { protocolVersion: 1 } },
    { type: "result", id: "b", result: { sessionId: "s" } },
    toShape(chunk),
    toShape(question),
    { type: "result", id: "c", result: { stopReason: "cancelled" } },
  ]);
});

test("a client that does something else and waits for it is not left waiting", async () => {
  const { heard, ...pipes } = peer((said) => {
    if (said.type === "result" && said.id === 0) return [ask(2, "session/prompt", { sessionId: "s", prompt: [] })];
    if (said.type === "request")
      return [reply(said.id, { outcome: { outcome: "cancelled" } }), tell("session/cancel", { sessionId: "s" })];
    if (said.type === "result" && said.id === 2) pipes.input.end();
    return [];
  });
  pipes.input.write(`${JSON.stringify(ask(0, "initialize", { protocolVersion: 1 }))}\n`);
  const { differences } = await replayAgent({ ...settings, ...pipes, play: play(cancelledTurn), patienceMs: 20 });
  expect(differences).toEqual(["the client asked session/new, and does not now"]);
  expect(heard.at(-1)).toEqual({ type: "result", id: 2, result: { stopReason: "cancelled" } });
});

test("the client waits with its prompt for what the agent says after session/new", async () => {
  const commands = tell("session/update", {
    sessionId: "s",
    update: { sessionUpdate: "available_commands_update", availableCommands: [] },
  });
  const quietTurn: [Sender, object][] = [
    ...cancelledTurn.slice(0, 4),
    ["agent", commands],
    ["client", ask(2, "session/prompt", { sessionId: "s", prompt: [] })],
    ["agent", chunk],
    ["agent", reply(2, { stopReason: "end_turn" })],
  ];
  const order: string[] = [];
  const agent = peer((said) => {
    if (said.type !== "request") return [];
    order.push(said.method);
    if (said.method === "initialize") return [reply(said.id, { protocolVersion: 1 })];
    if (said.method === "session/prompt") return [chunk, reply(said.id, { stopReason: "end_turn" })];
    setTimeout(() => {
      order.push("commands");
      agent.input.write(`${JSON.stringify(commands)}\n`);
    }, 20);
    return [reply(said.id, { sessionId: "s" })];
  });
  const report = await replayClient({ ...settings, ...agent, play: play(quietTurn) });
  expect({ order, report }).toEqual({
    order: ["initialize", "session/new", "commands", "session/prompt"],
    report: { differences: [], played: 8 },
  });
});
