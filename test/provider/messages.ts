// Anthropic's Messages: an answer is a list of blocks by index; what was read is told at its beginning.

import { type Call, type EndReason, type ProblemKind, piecesOf, type Spent } from "./script.ts";
import { namedEvent, type Problem, type Voice, type WireFormat } from "./wire-format.ts";

export const messages: WireFormat = {
  base: "/v1",
  path: /^\/v1\/messages$/,
  modelOf: (_, { model }) => String(model),
  keyOf: (headers) => String(headers["x-api-key"]),
  createVoice: (model, spent) => new MessagesVoice(model, spent),
  problem: toProblem,
};

type Block = "text" | "thinking";

class MessagesVoice implements Voice {
  readonly #model: string;
  readonly #spent: Spent;
  #index = 0;
  #calls = 0;
  #open: Block | undefined;

  constructor(model: string, spent: Spent) {
    this.#model = model;
    this.#spent = spent;
  }

  begin(): string {
    const { inputTokens, cachedTokens = 0 } = this.#spent;
    const usage = {
      // Without what came from the cache, which stands beside it.
      input_tokens: inputTokens - cachedTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cachedTokens,
      output_tokens: 1,
    };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: this.#model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return namedEvent({ type: "message_start", message } as { type: string }) + this.keepAlive();
  }

  text(text: string): string {
    return this.#openBlock("text", { type: "text", text: "" }) + this.#delta({ type: "text_delta", text });
  }

  reasoning(thinking: string): string {
    const block = { type: "thinking", thinking: "", signature: "" };
    return this.#openBlock("thinking", block) + this.#delta({ type: "thinking_delta", thinking });
  }

  seal(signature: string): string {
    return this.#delta({ type: "signature_delta", signature }) + this.#close();
  }

  call({ id, name, input }: Call): string {
    this.#calls++;
    const before = this.#close();
    const start = this.#start({ type: "tool_use", id, name, input: {} });
    const deltas = ["", ...piecesOf(input)].map((partial_json) =>
      this.#delta({ type: "input_json_delta", partial_json }),
    );
    return before + start + deltas.join("") + this.#stop();
  }

  keepAlive(): string {
    return namedEvent({ type: "ping" });
  }

  garbage(): string {
    return 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"bro\n\n';
  }

  problem({ body }: Problem): string {
    return namedEvent(body as { type: string });
  }

  end(reason: EndReason): string {
    const before = this.#close();
    const { outputTokens: output_tokens, reasoningTokens } = this.#spent;
    const details =
      reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } };
    const delta = { stop_reason: toStop(reason, this.#calls), stop_sequence: null };
    const last = { type: "message_delta", delta, usage: { output_tokens, ...details } };
    return before + namedEvent(last) + namedEvent({ type: "message_stop" });
  }

  #openBlock(block: Block, content_block: object): string {
    if (this.#open === block) return "";
    const before = this.#close();
    this.#open = block;
    return before + this.#start(content_block);
  }

  #close(): string {
    if (this.#open === undefined) return "";
    this.#open = undefined;
    return this.#stop();
  }

  #start(content_block: object): string {
    return this.#event("content_block_start", { content_block });
  }

  #delta(delta: object): string {
    return this.#event("content_block_delta", { delta });
  }

  #stop(): string {
    const stop = this.#event("content_block_stop", {});
    this.#index++;
    return stop;
  }

  #event(type: string, fields: object): string {
    return namedEvent({ type, index: this.#index, ...fields } as { type: string });
  }
}

function toStop(reason: EndReason, calls: number): string {
  switch (reason) {
    case "stop":
      return calls > 0 ? "tool_use" : "end_turn";
    case "length":
      return "max_tokens";
    case "refusal":
    case "filter":
      return "refusal";
  }
}

function toProblem(kind: ProblemKind): Problem {
  const body = (type: string, message: string): object => ({
    type: "error",
    error: { type, message },
    request_id: "req_1",
  });
  switch (kind) {
    case "key":
      return { status: 401, body: body("authentication_error", "invalid x-api-key") };
    case "forbidden":
      return {
        status: 403,
        body: body("permission_error", "Your API key does not have permission to use the specified resource."),
      };
    case "rate-limit":
      return {
        status: 429,
        body: body("rate_limit_error", "This request would exceed your organization's rate limit per minute."),
      };
    case "server":
      return { status: 500, body: body("api_error", "Internal server error") };
    case "overloaded":
      return { status: 529, body: body("overloaded_error", "Overloaded") };
    case "overflow":
      return {
        status: 400,
        body: body("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
      };
    case "filter":
      return { status: 400, body: body("invalid_request_error", "Output blocked by content filtering policy") };
  }
}
