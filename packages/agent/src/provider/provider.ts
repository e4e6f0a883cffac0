// Who makes answers: an endpoint, the protocol it speaks, and the key to it. Plain values; nothing here connects.

/** `chat`: OpenAI's chat completions and all that copy them. `responses`, `messages`, `gemini`: each maker's own. */
export type Protocol = "chat" | "responses" | "messages" | "gemini";

export interface Provider {
  /** The first half of a model's id, in lower case. */
  readonly id: string;
  /** As a person calls it. */
  readonly name: string;
  readonly protocol: Protocol;
  /** Without a slash at the end; what the protocol's own paths are appended to. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Which variable holds the key: named where it is missing or refused. */
  readonly keyVariable: string;
  /** Servers on one's own machine need none. */
  readonly needsKey: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly temperature?: number | undefined;
  /** Instead of what the model itself allows. */
  readonly maxOutputTokens?: number | undefined;
  /** Merged into the body of every request. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** How a connection is made. */
export interface Http {
  /** Proxy variables and the like: those of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file of further certificates to trust. */
  readonly caFile?: string | undefined;
  /** No byte for so long, and the request is given up: until the answer begins, and between two bytes. */
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** The same behind an answer that said that it is over: then it is closed, and counts. */
  readonly settleMs?: number | undefined;
}
