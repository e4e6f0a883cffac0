// What the fake provider is made to say, in words that all four wire formats share. Pure.

/** What a request cost; `inputTokens` counts the cached ones too, `outputTokens` those of the reasoning. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** `refusal`: the model would not. `filter`: somebody stood between. */
export type EndReason = "stop" | "length" | "refusal" | "filter";

/** What providers answer instead: as each of them phrases it. */
export type ProblemKind = "key" | "forbidden" | "rate-limit" | "server" | "overloaded" | "overflow" | "filter";

export type Step =
  | { readonly type: "text"; readonly pieces: readonly string[] }
  /** The seal is what the provider wants back: a signature, or the reasoning in its own cipher. */
  | { readonly type: "reasoning"; readonly pieces: readonly string[]; readonly seal: string }
  | { readonly type: "call"; readonly call: Call }
  | { readonly type: "usage"; readonly spent: Spent }
  | { readonly type: "pause"; readonly ms: number }
  /** Never goes on, until the client leaves. */
  | { readonly type: "stall" }
  /** The connection breaks. */
  | { readonly type: "cut" }
  /** As the first step it is the status of the response; later it is an event of the stream. */
  | { readonly type: "problem"; readonly kind: ProblemKind; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: "garbage" }
  /** These bytes and no others: for servers that speak a format in their own way. */
  | { readonly type: "raw"; readonly text: string }
  /** The whole answer, as the first step: what stands between us and a provider says something else entirely. */
  | { readonly type: "page"; readonly page: Page }
  | { readonly type: "keep-alive" }
  | { readonly type: "end"; readonly reason: EndReason };

export interface Call {
  readonly id: string;
  readonly name: string;
  /** JSON text, or what the model wrote instead. */
  readonly input: string;
  /** Only Gemini seals calls. */
  readonly seal?: string | undefined;
}

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One answer. Without an `end` it ends as its calls, or the lack of them, say. */
export type Reply = readonly Step[];

/** Each piece is one delta. */
export function say(...pieces: readonly string[]): Step {
  return { type: "text", pieces };
}

export function think(seal: string, ...pieces: readonly string[]): Step {
  return { type: "reasoning", pieces, seal };
}

export function ask(id: string, name: string, input: object | string, seal?: string): Step {
  const written = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "call", call: { id, name, input: written, seal } };
}

export function spend(inputTokens: number, outputTokens: number, more: Partial<Spent> = {}): Step {
  return { type: "usage", spent: { inputTokens, outputTokens, ...more } };
}

export function pause(ms: number): Step {
  return { type: "pause", ms };
}

export function stall(): Step {
  return { type: "stall" };
}

export function cut(): Step {
  return { type: "cut" };
}

export function problem(kind: ProblemKind, headers: Readonly<Record<string, string>> = {}): Step {
  return { type: "problem", kind, headers };
}

/** A frame that is no JSON. */
export function garbage(): Step {
  return { type: "garbage" };
}

/** Events without a name, with no end made up behind them. */
export function raw(...events: readonly object[]): Step {
  return { type: "raw", text: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") };
}

export function page(status: number, headers: Readonly<Record<string, string>>, body: string): Step {
  return { type: "page", page: { status, headers, body } };
}

/** What servers send so that nobody between closes the connection. */
export function keepAlive(): Step {
  return { type: "keep-alive" };
}

export function end(reason: EndReason): Step {
  return { type: "end", reason };
}

/** What is not said to have been spent. */
const LITTLE: Spent = { inputTokens: 10, outputTokens: 5 };

export function spentIn(reply: Reply): Spent {
  return reply.find((step) => step.type === "usage")?.spent ?? LITTLE;
}

/** A model writes its arguments in pieces. */
export function piecesOf(input: string): string[] {
  return input.match(/[\s\S]{1,7}/g) ?? [];
}
