// A chat-completions server on the loopback: server-sent events without any latency. It says what the scenario file lets
// the scripted model say, and tells what it was asked when it is asked for that. Prints its address, and ends with its
// input.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatReport, REPORT_PATH } from "../chat-report.ts";
import { DELTA, DELTAS, PLAIN, PLAIN_DELTAS, ROUNDS, roundFile } from "../script.ts";

/** So many events leave in one write, as a server that is faster than its reader has them. */
const EVENTS_PER_WRITE = 64;

/** Requests that are remembered; the oldest is forgotten first. */
const MAX_ASKED = 64;

/** All words that are answered in their own way. */
const PROMPTS = new Set(["plain", "deltas", "rounds", "stall", "hello"]);

const USAGE = { usage: { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 } };
const END = `${toEvent({}, USAGE, "stop")}data: [DONE]\n\n`;

interface Said {
  role: string;
  content: string | { text?: string }[] | null;
}

let asked: string[] = [];
let left = 0;

const server = createServer(async (request, response) => {
  if (request.method === "GET") return answer(request.url ?? "", response);
  const body = await bodyOf(request);
  asked.push(body);
  if (asked.length > MAX_ASKED) asked.shift();
  const messages = JSON.parse(body).messages as Said[];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.once("close", () => {
    if (!response.writableFinished) left++;
  });
  if (promptOf(messages).text === "stall") return void response.write(toEvent({ content: DELTA }));
  await write(response, toEvents(messages));
  response.end(END);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`);
});
process.stdin.resume().on("end", () => process.exit(0));

/** What was asked since the last report, and how many left before their answer was over. */
function answer(path: string, response: ServerResponse): void {
  const report: ChatReport = { asked, left };
  const isReport = path === REPORT_PATH;
  if (isReport) [asked, left] = [[], 0];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(isReport ? report : { object: "list", data: [{ id: "text", object: "model" }] }));
}

/** The last thing the person said, and where; agents may say something of their own behind it. */
function promptOf(messages: readonly Said[]): { at: number; text: string } {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, content } = messages[at] as Said;
    const texts = typeof content === "string" ? [content] : (content ?? []).map(({ text = "" }) => text);
    const text = texts.map((one) => one.split("\n", 1)[0] ?? "").find((line) => PROMPTS.has(line));
    if (role === "user" && text !== undefined) return { at, text };
  }
  return { at: -1, text: "" };
}

function toEvents(messages: readonly Said[]): string[] {
  const { at, text } = promptOf(messages);
  const round = messages.slice(at + 1).filter(({ role }) => role === "tool").length;
  switch (text) {
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

function toEvent(delta: object, more: object = {}, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices, ...more })}\n\n`;
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
