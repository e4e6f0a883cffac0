// A provider on the loopback that speaks all four wire formats as the real ones do, and says what its script lets it
// say. Records every request; ends with whoever made it.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";
import { type Reply, type Step, spentIn } from "./script.ts";
import type { Voice, WireFormat } from "./wire-format.ts";

export const formats = { chat, responses, messages, gemini };

export interface Recorded {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what they read
  readonly body: any;
  readonly at: number;
  /** When the client left before the answer was over. */
  leftAt: number | undefined;
}

export interface FakeOptions {
  /** So many bytes leave at once: events and letters are torn wherever that is. */
  readonly pieceBytes?: number | undefined;
}

/** Further requests than there are replies are refused. */
export async function startFakeProvider(replies: readonly Reply[], options: FakeOptions = {}): Promise<FakeProvider> {
  const provider = new FakeProvider(replies, options);
  await provider.listen();
  return provider;
}

export class FakeProvider implements AsyncDisposable {
  /** Those that wanted an answer. */
  readonly requests: Recorded[] = [];
  /** All others: lists of models, and what nobody knows. */
  readonly others: Recorded[] = [];
  readonly #replies: Reply[];
  readonly #pieceBytes: number;
  readonly #server: Server;
  readonly #waiting: { readonly test: () => boolean; readonly resolve: () => void }[] = [];

  constructor(replies: readonly Reply[], { pieceBytes = Number.POSITIVE_INFINITY }: FakeOptions) {
    this.#replies = [...replies];
    this.#pieceBytes = pieceBytes;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Resolves as soon as the condition holds; it is looked at when a request came, and when a client left. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ test, resolve }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request);
    const path = recorded.path.split("?")[0] as string;
    const format = Object.values(formats).find((one) => one.path.test(path));
    if (format === undefined || recorded.method !== "POST") {
      this.others.push(recorded);
      answerOther(path, response);
      this.#look();
      return;
    }
    this.requests.push(recorded);
    response.once("close", () => {
      if (!response.writableFinished && !broken.has(response)) recorded.leftAt = performance.now();
      this.#look();
    });
    this.#look();
    const reply = this.#replies.shift();
    if (reply === undefined) {
      answerJson(response, 400, { error: { message: "the script is over", type: "invalid_request_error" } });
      return;
    }
    torn.set(response, this.#pieceBytes);
    await answer(response, format, reply, recorded, path);
  }

  #look(): void {
    for (const waiting of this.#waiting.filter(({ test }) => test())) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve();
    }
  }
}

async function answer(
  response: ServerResponse,
  format: WireFormat,
  reply: Reply,
  { body, headers }: Recorded,
  path: string,
): Promise<void> {
  const key = format.keyOf(headers);
  const [first] = reply;
  if (first?.type === "problem") {
    const { status, body: problem } = format.problem(first.kind, key);
    return answerJson(response, status, problem, first.headers);
  }
  if (first?.type === "page") {
    response.writeHead(first.page.status, first.page.headers);
    response.end(first.page.body);
    return;
  }
  if (first?.type === "cut") return breakOff(response);
  const voice = format.createVoice(format.modelOf(path, body), spentIn(reply));
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
  if (first?.type !== "raw") await write(response, voice.begin());
  for (const step of reply) {
    const goesOn = await play(step, voice, response, format, key);
    if (!goesOn) return;
  }
  if (!reply.some(({ type }) => type === "end" || type === "raw")) await write(response, voice.end("stop"));
  response.end();
}

/** Whether there is more to come. */
async function play(
  step: Step,
  voice: Voice,
  response: ServerResponse,
  format: WireFormat,
  key: string,
): Promise<boolean> {
  if (response.destroyed) return false;
  switch (step.type) {
    case "text":
      for (const piece of step.pieces) await write(response, voice.text(piece));
      return true;
    case "reasoning":
      for (const piece of step.pieces) await write(response, voice.reasoning(piece));
      await write(response, voice.seal(step.seal));
      return true;
    case "call":
      await write(response, voice.call(step.call));
      return true;
    case "usage":
      return true;
    case "pause":
      await new Promise((resolve) => setTimeout(resolve, step.ms));
      return true;
    case "stall":
      return false;
    case "cut":
      // What was written is on its way first.
      await new Promise((resolve) => setTimeout(resolve, 5));
      breakOff(response);
      return false;
    case "problem":
      response.end(voice.problem(format.problem(step.kind, key)));
      return false;
    case "garbage":
      await write(response, voice.garbage());
      return true;
    case "raw":
      await write(response, step.text);
      return true;
    case "page":
      return false;
    case "keep-alive":
      await write(response, voice.keepAlive());
      return true;
    case "end":
      await write(response, voice.end(step.reason));
      return true;
  }
}

/** Connections that we ended, not the client. */
const broken = new WeakSet<ServerResponse>();

function breakOff(response: ServerResponse): void {
  broken.add(response);
  response.socket?.destroy();
}

/** How many bytes of an answer leave at once. */
const torn = new WeakMap<ServerResponse, number>();

async function write(response: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const most = Math.min(torn.get(response) ?? bytes.length, bytes.length);
  for (let at = 0; at < bytes.length; at += most) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + most), () => resolve()));
  }
}

function answerOther(path: string, response: ServerResponse): void {
  const models = ["text", "other"].map((id) => ({ id, object: "model", created: 1_767_355_200, owned_by: "test" }));
  if (path === "/v1/models") answerJson(response, 200, { object: "list", data: models });
  else answerJson(response, 404, { error: { message: "Not found", type: "not_found" } });
}

function answerJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function record(request: IncomingMessage): Promise<Recorded> {
  const { method = "", url: path = "", headers } = request;
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  const body = text === "" ? undefined : JSON.parse(text);
  return { method, path, headers, text, body, at: performance.now(), leftAt: undefined };
}
