// The watch itself sees what it is there to see.

import { type Frame, memoryPair } from "@agentao/acp";
import { expect, test } from "vitest";
import { WireWatch } from "./wire-watch.ts";

const update = (update: object) => ({ method: "session/update", params: { sessionId: "s", update } });
const said = update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } });
const called = update({ sessionUpdate: "tool_call", toolCallId: "c", title: "C" });
const prompt = { client: true, id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } };
const answer = { id: 1, result: { stopReason: "end_turn" } };
const terminal = { id: 7, method: "terminal/create", params: { sessionId: "s", command: "x" } };
const offer = { client: true, id: 0, method: "initialize", params: { clientCapabilities: { terminal: true } } };

test.each<readonly [string, readonly object[], readonly RegExp[]]>([
  [
    "an orderly turn",
    [prompt, called, update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" }), said, answer],
    [],
  ],
  [
    "a long line",
    [prompt, update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(48 * 1024) } })],
    [/^a line of \d+ bytes/],
  ],
  ["words after the answer", [prompt, answer, said], [/^C-195, C-212: agent_message_chunk/]],
  ["a call that never ends", [prompt, called, answer], [/^C-225: call s c/]],
  [
    "a call nobody announced",
    [prompt, update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" })],
    [/^C-221/],
  ],
  [
    "what the client did not offer",
    [{ id: 7, method: "fs/read_text_file", params: { sessionId: "s", path: "/x" } }],
    [/^C-238/],
  ],
  ["a terminal nobody offered", [terminal], [/^C-238, C-239: terminal\/create/]],
  [
    "a terminal nobody released",
    [offer, terminal, { client: true, id: 7, result: { terminalId: "t" } }],
    [/^C-240: terminal t/],
  ],
  ["what is not valid", [prompt, { id: 1, result: { stopReason: "bored" } }], [/^not valid by the schema/]],
])("%s", async (_, frames, broken) => {
  const [client, agent] = memoryPair();
  const watch = new WireWatch(() => {});
  const watched = watch.around(agent);
  watched.open({ frame: () => {}, garbage: () => {}, ended: () => {} });

  for (const { client: isClient, ...frame } of frames as readonly { client?: boolean }[]) {
    void (isClient ? client : watched).send({ jsonrpc: "2.0", ...frame } as Frame);
    await Promise.resolve();
  }

  expect(watch.finish()).toEqual(broken.map((sentence) => expect.stringMatching(sentence)));
});
