// The floor agent with its model inside, as a scripted model is inside the program: no server, no request, no events to
// take apart. What is left is frames and files. Knows no more than the two turns it is measured with.

import { readFile } from "node:fs/promises";
import { DELTA, DELTAS, ROUNDS, roundFile } from "../script.ts";

let rest = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") receive(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));

// biome-ignore lint/suspicious/noExplicitAny: a floor has no types; it believes what it is told
async function receive({ id, method, params }: any): Promise<void> {
  switch (method) {
    case "initialize":
      return send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
    case "session/new":
      return send({ jsonrpc: "2.0", id, result: { sessionId: "inline" } });
    case "session/prompt":
      if (params.prompt[0].text === "deltas") await sayDeltas();
      else await readRounds();
      return send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  }
}

async function sayDeltas(): Promise<void> {
  for await (const text of deltas()) say(text);
}

async function* deltas(): AsyncGenerator<string> {
  for (let delta = 0; delta < DELTAS; delta++) yield DELTA;
}

async function readRounds(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const toolCallId = `call_${round}`;
    update({ sessionUpdate: "tool_call", toolCallId, title: "read_file", kind: "read", status: "in_progress" });
    const text = await readFile(roundFile(round), "utf8");
    const content = [{ type: "content", content: { type: "text", text } }];
    update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content });
  }
  say(DELTA);
}

function say(text: string): void {
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

function update(update: object): void {
  send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "inline", update } });
}

function send(frame: object): void {
  process.stdout.write(`${JSON.stringify(frame)}\n`);
}
