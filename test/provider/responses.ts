// OpenAI's Responses: an answer is a list of items, each of which is added, grows, and is done.

import { openAiProblem } from "./chat.ts";
import { type Call, type EndReason, piecesOf, type Spent } from "./script.ts";
import { namedEvent, type Problem, type Voice, type WireFormat } from "./wire-format.ts";

export const responses: WireFormat = {
  base: "/v1",
  path: /^\/v1\/responses$/,
  modelOf: (_, { model }) => String(model),
  keyOf: ({ authorization }) => String(authorization).replace("Bearer ", ""),
  createVoice: (model, spent) => new ResponsesVoice(model, spent),
  problem: openAiProblem,
};

type Open = { readonly type: "message" | "reasoning"; readonly id: string; text: string };

class ResponsesVoice implements Voice {
  readonly #model: string;
  readonly #spent: Spent;
  readonly #output: object[] = [];
  #events = 0;
  #open: Open | undefined;

  constructor(model: string, spent: Spent) {
    this.#model = model;
    this.#spent = spent;
  }

  begin(): string {
    const response = this.#response("in_progress");
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  text(delta: string): string {
    const before = this.#openItem("message");
    const { id } = this.#grow(delta);
    return before + this.#event("response.output_text.delta", { ...this.#part(id), delta, logprobs: [] });
  }

  reasoning(delta: string): string {
    const before = this.#openItem("reasoning");
    const { id } = this.#grow(delta);
    const place = { item_id: id, output_index: this.#output.length, summary_index: 0 };
    return before + this.#event("response.reasoning_summary_text.delta", { ...place, delta });
  }

  seal(seal: string): string {
    return this.#close(seal);
  }

  call({ id: call_id, name, input }: Call): string {
    const before = this.#close();
    const id = `fc_${call_id}`;
    const output_index = this.#output.length;
    const item = { id, type: "function_call", call_id, name };
    const done = { ...item, status: "completed", arguments: input };
    const events = [
      this.#event("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", arguments: "" },
      }),
      ...piecesOf(input).map((delta) =>
        this.#event("response.function_call_arguments.delta", { item_id: id, output_index, delta }),
      ),
      this.#event("response.function_call_arguments.done", { item_id: id, output_index, arguments: input }),
      this.#event("response.output_item.done", { output_index, item: done }),
    ];
    this.#output.push(done);
    return before + events.join("");
  }

  keepAlive(): string {
    return ": keep-alive\n\n";
  }

  garbage(): string {
    return 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"bro\n\n';
  }

  problem({ body }: Problem): string {
    const { error } = body as { error: { message: string; code: string | null } };
    const response = this.#response("failed", {
      error: { code: error.code ?? "server_error", message: error.message },
    });
    return this.#event("response.failed", { response });
  }

  end(reason: EndReason): string {
    const refused = reason === "refusal" ? this.#refuse("I can't help with that.") : "";
    const before = refused + this.#close();
    const usage = toUsage(this.#spent);
    if (reason === "length" || reason === "filter") {
      const cause = reason === "length" ? "max_output_tokens" : "content_filter";
      const response = this.#response("incomplete", { incomplete_details: { reason: cause }, usage });
      return before + this.#event("response.incomplete", { response });
    }
    return before + this.#event("response.completed", { response: this.#response("completed", { usage }) });
  }

  /** A refusal is a part of a message, beside its text. */
  #refuse(refusal: string): string {
    const before = this.#close();
    const id = `msg_${this.#output.length}`;
    const output_index = this.#output.length;
    const item = { id, type: "message", role: "assistant" };
    const place = { item_id: id, output_index, content_index: 0 };
    const part = { type: "refusal", refusal };
    const done = { ...item, status: "completed", content: [part] };
    this.#output.push(done);
    return [
      before,
      this.#event("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", content: [] },
      }),
      this.#event("response.content_part.added", { ...place, part: { type: "refusal", refusal: "" } }),
      this.#event("response.refusal.delta", { ...place, delta: refusal }),
      this.#event("response.refusal.done", { ...place, refusal }),
      this.#event("response.content_part.done", { ...place, part }),
      this.#event("response.output_item.done", { output_index, item: done }),
    ].join("");
  }

  #openItem(type: Open["type"]): string {
    if (this.#open?.type === type) return "";
    const before = this.#close();
    const output_index = this.#output.length;
    const id = `${type === "message" ? "msg" : "rs"}_${output_index}`;
    this.#open = { type, id, text: "" };
    const item =
      type === "message"
        ? { id, type, status: "in_progress", role: "assistant", content: [] }
        : { id, type, summary: [], encrypted_content: "" };
    return before + this.#event("response.output_item.added", { output_index, item }) + this.#openPart(type, id);
  }

  #openPart(type: Open["type"], id: string): string {
    if (type === "message") {
      return this.#event("response.content_part.added", { ...this.#part(id), part: textPart("") });
    }
    const place = { item_id: id, output_index: this.#output.length, summary_index: 0 };
    return this.#event("response.reasoning_summary_part.added", { ...place, part: summaryPart("") });
  }

  #grow(delta: string): Open {
    const open = this.#open as Open;
    open.text += delta;
    return open;
  }

  #close(seal?: string): string {
    if (this.#open === undefined) return "";
    const { type, id, text } = this.#open;
    this.#open = undefined;
    const output_index = this.#output.length;
    if (type === "message") return this.#closeMessage(id, text);
    const place = { item_id: id, output_index, summary_index: 0 };
    const item = { id, type, summary: [summaryPart(text)], encrypted_content: seal ?? null };
    const events = [
      this.#event("response.reasoning_summary_text.done", { ...place, text }),
      this.#event("response.reasoning_summary_part.done", { ...place, part: summaryPart(text) }),
      this.#event("response.output_item.done", { output_index, item }),
    ];
    this.#output.push(item);
    return events.join("");
  }

  #closeMessage(id: string, text: string): string {
    const output_index = this.#output.length;
    const item = { id, type: "message", status: "completed", role: "assistant", content: [textPart(text)] };
    const events = [
      this.#event("response.output_text.done", { ...this.#part(id), text, logprobs: [] }),
      this.#event("response.content_part.done", { ...this.#part(id), part: textPart(text) }),
      this.#event("response.output_item.done", { output_index, item }),
    ];
    this.#output.push(item);
    return events.join("");
  }

  #part(item_id: string): object {
    return { item_id, output_index: this.#output.length, content_index: 0 };
  }

  #event(type: string, fields: object): string {
    return namedEvent({ type, sequence_number: this.#events++, ...fields } as { type: string });
  }

  #response(status: string, more: object = {}): object {
    return {
      id: "resp_1",
      object: "response",
      created_at: 1_767_355_200,
      status,
      error: null,
      incomplete_details: null,
      model: this.#model,
      output: [...this.#output],
      usage: null,
      ...more,
    };
  }
}

function textPart(text: string): object {
  return { type: "output_text", annotations: [], logprobs: [], text };
}

function summaryPart(text: string): object {
  return { type: "summary_text", text };
}

function toUsage({ inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }: Spent): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
