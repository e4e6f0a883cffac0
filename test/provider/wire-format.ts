// How one provider writes an answer down: pieces of a body of server-sent events. Pure but for the counting.

import type { Call, EndReason, ProblemKind, Spent } from "./script.ts";

export interface WireFormat {
  /** What is appended to the address of the server. */
  readonly base: string;
  /** Where a request for an answer goes. */
  readonly path: RegExp;
  /** The model a request wants. */
  modelOf(path: string, body: Readonly<Record<string, unknown>>): string;
  /** Where the key is, without the word before it. */
  keyOf(headers: Readonly<Record<string, unknown>>): string;
  /** One answer, from its first byte to its last. */
  createVoice(model: string, spent: Spent): Voice;
  problem(kind: ProblemKind, key: string): Problem;
}

/** Every function answers the bytes that go out next. */
export interface Voice {
  begin(): string;
  text(piece: string): string;
  reasoning(piece: string): string;
  /** Closes the reasoning that was just spoken. */
  seal(seal: string): string;
  call(call: Call): string;
  keepAlive(): string;
  garbage(): string;
  /** What goes wrong after the answer began. */
  problem(problem: Problem): string;
  end(reason: EndReason): string;
}

export interface Problem {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: object;
}

/** An event as OpenAI and Anthropic write it: its name, then itself. */
export function namedEvent(event: { readonly type: string }): string {
  return `event: ${event.type}\n${plainEvent(event)}`;
}

export function plainEvent(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
