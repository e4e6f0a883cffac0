// A chat-completions server on the loopback for the floor agent: server-sent events without any latency. It says what
// the scenario file lets the scripted model say, and remembers nothing. Prints its address, and ends with its input.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DELTA, DELTAS, PLAIN, PLAIN_DELTAS, ROUNDS, roundFile } from "../script.ts";

/** So many events leave in one write, as a server that is faster than its reader has them. */
const EVENTS_PER_WRITE = 64;

interface Said {
  role: string;
  content: string;
}

const server = createServer(async (request, response) => {
  const messages = JSON.parse(await bodyOf(request)).messages as Said[];
  response.writeHead(200, { "content-type": "text/event-stream" });
  await write(response, toEvents(messages));
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`);
});
process.stdin.resume().on("end", () => process.exit(0));

function toEvents(messages: readonly Said[]): string[] {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const round = messages.slice(asked + 1).filter(({ role }) => role === "tool").length;
  switch (messages[asked]?.content) {
    case "deltas":
      return Array<string>(DELTAS).fill(toEvent({ content: DELTA }));
    case "rounds":
      if (round < ROUNDS) return [toEvent({ tool_calls: [toCall(round)] })];
      return [toEvent({ content: DELTA })];
    default:
      return Array<string>(PLAIN_DELTAS).fill(toEvent({ content: PLAIN }));
  }
}

function toCall(round: number): object {
  const input = JSON.stringify({ file_path: roundFile(round) });
  return { index: 0, id: `call_${round}`, type: "function", function: { name: "read_file", arguments: input } };
}

function toEvent(delta: object): string {
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta }] })}\n\n`;
}

async function write(response: ServerResponse, events: readonly string[]): Promise<void> {
  for (let at = 0; at < events.length; at += EVENTS_PER_WRITE) {
    const isTaken = response.write(events.slice(at, at + EVENTS_PER_WRITE).join(""));
    if (!isTaken) await new Promise((resolve) => response.once("drain", resolve));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const text of request.setEncoding("utf8")) body += text;
  return body;
}
