import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import type { Message } from "../message/message.ts";
import type { ModelEvent, ModelInfo, ModelRequest } from "../model/model.ts";
import type { Http, Protocol, Provider } from "./provider.ts";
import { providerModel } from "./provider-model.ts";

// More patience than a test has: a socket that only a stall closes fails its test.
const HTTP: Http = { env: {}, firstByteMs: 600_000, idleMs: 600_000 };
const KEY = "sk-test-0123456789";

const MODELS: Record<Protocol, string> = {
  chat: "some-model",
  responses: "gpt-5",
  messages: "claude-sonnet-4-6",
  gemini: "gemini-3-pro",
};

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are asserted as they are.
  readonly body: any;
}

type Answer = (response: ServerResponse, asked: Asked) => void;

interface Setup {
  readonly provider?: Partial<Provider>;
  readonly info?: Partial<ModelInfo>;
  readonly http?: Partial<Http>;
  readonly model?: string;
}

/** A provider that gives the answers in order, the last one for ever. */
async function startProvider(protocol: Protocol, answers: readonly Answer[], setup: Setup = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "null");
    const one = { path: String(request.url), headers: request.headers, body };
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(one);
    answer?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const provider: Provider = {
    id: "maker",
    name: "Maker",
    protocol,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: KEY,
    keyVariable: "MAKER_API_KEY",
    needsKey: true,
    ...setup.provider,
  };
  const info: ModelInfo = {
    id: `maker/${setup.model ?? MODELS[protocol]}`,
    name: "Model",
    windowTokens: 100_000,
    takes: { image: true, audio: false },
    thoughtLevels: ["low", "high"],
    ...setup.info,
  };
  return { asked, model: providerModel(provider, info, { ...HTTP, ...setup.http }) };
}

const events =
  (...chunks: readonly unknown[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
    );
  };

const refuse =
  (status: number, message: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type: "e", message, code: status, status: "X" } }));
  };

const chat = (delta: object, finish: string | null = null) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** Thinks, speaks, and calls twice, in every protocol. */
const FULL: Record<Protocol, Answer> = {
  chat: events(
    chat({ role: "assistant", reasoning_content: "Hm" }),
    chat({ reasoning_content: "m." }),
    chat({ content: "Let me" }),
    chat({ content: " look." }),
    chat({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: '{"a"' } }] }),
    chat({ tool_calls: [{ index: 1, id: "c2", type: "function", function: { name: "look", arguments: "{}" } }] }),
    chat({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
    chat({}, "tool_calls"),
    {
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    },
    "[DONE]",
  ),
  responses: events(
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs_1" } },
    { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
    { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "Hm" },
    { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "m." },
    { type: "response.reasoning_summary_part.done", item_id: "rs_1", summary_index: 0 },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "reasoning", id: "rs_1", encrypted_content: "sealed" },
    },
    { type: "response.output_item.added", output_index: 1, item: { type: "message", id: "msg_1" } },
    { type: "response.output_text.delta", item_id: "msg_1", delta: "Let me" },
    { type: "response.output_text.delta", item_id: "msg_1", delta: " look." },
    { type: "response.output_item.done", output_index: 1, item: { type: "message", id: "msg_1" } },
    ...["c1", "c2"].flatMap((id, at) => [
      {
        type: "response.output_item.added",
        output_index: 2 + at,
        item: { type: "function_call", id: `fc_${id}`, call_id: id, name: "look", arguments: "" },
      },
      {
        type: "response.output_item.done",
        output_index: 2 + at,
        item: {
          type: "function_call",
          id: `fc_${id}`,
          call_id: id,
          name: "look",
          arguments: at === 0 ? '{"a":1}' : "{}",
          status: "completed",
        },
      },
    ]),
    {
      type: "response.completed",
      response: {
        usage: {
          input_tokens: 100,
          output_tokens: 20,
          input_tokens_details: { cached_tokens: 40 },
          output_tokens_details: { reasoning_tokens: 5 },
        },
      },
    },
  ),
  messages: events(
    {
      type: "message_start",
      message: {
        id: "m",
        model: "c",
        usage: { input_tokens: 50, cache_read_input_tokens: 40, cache_creation_input_tokens: 10, output_tokens: 0 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "m." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "signed" } },
    { type: "content_block_stop", index: 0 },
    { type: "ping" },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Let me" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: " look." } },
    { type: "content_block_stop", index: 1 },
    ...["c1", "c2"].flatMap((id, at) => [
      { type: "content_block_start", index: 2 + at, content_block: { type: "tool_use", id, name: "look", input: {} } },
      ...(at === 0
        ? [
            { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a"' } },
            { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: ":1}" } },
          ]
        : []),
      { type: "content_block_stop", index: 2 + at },
    ]),
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ),
  gemini: events(
    { candidates: [{ content: { parts: [{ text: "Hm", thought: true }] } }] },
    { candidates: [{ content: { parts: [{ text: "m.", thought: true }] } }] },
    { candidates: [{ content: { parts: [{ text: "Let me" }] } }] },
    { candidates: [{ content: { parts: [{ text: " look." }] } }] },
    {
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: "c1", name: "look", args: { a: 1 } }, thoughtSignature: "signed" },
              { functionCall: { id: "c2", name: "look", args: {} } },
            ],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 40,
      },
    },
  ),
};

const PROTOCOLS = Object.keys(FULL) as Protocol[];

const REQUEST: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", id: "u" as MessageId, parts: [{ type: "text", text: "hi" }] }],
  tools: [
    { name: "look", description: "Looks.", inputSchema: { type: "object", properties: { a: { type: "number" } } } },
    { name: "touch", description: "Touches.", inputSchema: { type: "object", properties: {} } },
  ],
  cacheKey: "session-1",
};

async function collect(source: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of source) all.push(event);
  return all;
}

const ask = (
  model: { stream: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent> },
  more: Partial<ModelRequest> = {},
) => collect(model.stream({ ...REQUEST, ...more }, new AbortController().signal));

/** What the events said, as the message the journal would hold; results included. */
function heard(all: readonly ModelEvent[]): Message[] {
  const parts: Extract<Message, { role: "assistant" }>["parts"][number][] = [];
  for (const event of all) {
    const last = parts.at(-1);
    if (event.type === "text-delta" || event.type === "reasoning-delta") {
      const type = event.type === "text-delta" ? "text" : "reasoning";
      if (last?.type === type) parts[parts.length - 1] = { ...last, text: last.text + event.text };
      else parts.push({ type, text: event.text });
    } else if (event.type === "reasoning-end") {
      if (last?.type === "reasoning") parts[parts.length - 1] = { ...last, opaque: event.opaque };
    } else if (event.type === "call") {
      parts.push({
        type: "call",
        callId: event.id as CallId,
        name: event.name,
        input: event.input,
        opaque: event.opaque,
      });
    }
  }
  const results: Message[] = parts.flatMap((part) =>
    part.type === "call"
      ? [{ role: "result", callId: part.callId, name: part.name, failed: false, parts: [{ type: "text", text: "ok" }] }]
      : [],
  );
  // What goes through the journal is JSON.
  return JSON.parse(JSON.stringify([{ role: "assistant", id: "a", parts }, ...results]));
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  test("tells reasoning, text, calls, usage and the end", async () => {
    const { model } = await startProvider(protocol, [FULL[protocol]], {
      info: { prices: { input: 10, output: 100, cachedInput: 1, cacheWrite: 20 } },
    });
    const maker = { provider: "maker", protocol, model: MODELS[protocol] };
    const opaque = expect.objectContaining(maker);
    const all = await ask(model);
    const written = protocol === "messages" ? 10 : 0;
    expect(all).toEqual([
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning-delta", text: "m." },
      { type: "reasoning-end", opaque },
      { type: "text-delta", text: "Let me" },
      { type: "text-delta", text: " look." },
      { type: "call", id: "c1", name: "look", input: '{"a":1}', ...(hasCallSeal(protocol) && { opaque }) },
      { type: "call", id: "c2", name: "look", input: "{}", ...(protocol === "responses" && { opaque }) },
      {
        type: "usage",
        usage: {
          inputTokens: 100,
          outputTokens: 20,
          cachedTokens: 40,
          ...(protocol !== "messages" && { reasoningTokens: 5 }),
          cost: ((60 - written) * 10 + 40 * 1 + written * 20 + 20 * 100) / 1e6,
        },
      },
      { type: "finish", reason: "calls" },
    ]);
  });

  test("sends back what the model said, as it said it", async () => {
    const { model, asked } = await startProvider(protocol, [FULL[protocol]]);
    const said = heard(await ask(model));
    await ask(model, { messages: [...REQUEST.messages, ...said] });
    expect(replayed(protocol, asked[1]?.body)).toEqual(REPLAYED[protocol]);
  });

  test("asks where and as its protocol wants it", async () => {
    const { model, asked } = await startProvider(protocol, [FULL[protocol]], {
      provider: {
        headers: { "x-own": "1" },
        extraBody: { extra: { deep: 1 } },
        temperature: 0.2,
        maxOutputTokens: 500,
      },
    });
    await ask(model, { thoughtLevel: "high" });
    expect(asked[0]?.path).toBe(PATHS[protocol]);
    expect(asked[0]?.headers).toMatchObject({ "x-own": "1", [KEY_HEADERS[protocol]]: expect.stringContaining(KEY) });
    expect(asked[0]?.body).toMatchObject({ extra: { deep: 1 }, ...SETTINGS[protocol] });
  });

  test("fails with a fault, once, when the provider refuses", async () => {
    const { model, asked } = await startProvider(protocol, [refuse(503, "busy", { "retry-after": "2" })]);
    const all = await ask(model);
    expect(all).toEqual([
      { type: "failed", fault: expect.objectContaining({ kind: "overloaded", retryable: true, retryAfterMs: 2_000 }) },
    ]);
    expect(asked).toHaveLength(1);
  });

  test("says nothing final when the answer breaks off, and makes no call of half a call", async () => {
    const { model } = await startProvider(protocol, [BROKEN[protocol]]);
    const all = await ask(model);
    expect(all.filter(({ type }) => type === "text-delta")).toEqual([{ type: "text-delta", text: "Let me" }]);
    expect(all.filter(({ type }) => ["finish", "failed", "call", "usage"].includes(type))).toEqual([]);
  });

  test("fails with a fault when the connection dies in the middle", async () => {
    const { model } = await startProvider(protocol, [
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(FIRST_TEXT[protocol][0])}\n\n`);
        response.write(
          FIRST_TEXT[protocol]
            .slice(1)
            .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
            .join(""),
        );
        setTimeout(() => response.destroy(), 5);
      },
    ]);
    const all = await ask(model);
    expect(all.at(-1)).toEqual({
      type: "failed",
      fault: expect.objectContaining({ kind: "network", retryable: true }),
    });
  });

  test("fails with a fault when the answer stalls", async () => {
    const { model } = await startProvider(protocol, [hang(protocol)], { http: { idleMs: 25 } });
    const all = await ask(model);
    expect(all).toEqual([
      { type: "text-delta", text: "Let me" },
      { type: "failed", fault: expect.objectContaining({ kind: "stalled" }) },
    ]);
  });

  test("ends without a last event when it is cancelled, and the provider sees the socket close", async () => {
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const { model } = await startProvider(protocol, [
      (response, one) => {
        response.once("close", close);
        hang(protocol)(response, one);
      },
    ]);
    const stop = new AbortController();
    const all: ModelEvent[] = [];
    for await (const event of model.stream(REQUEST, stop.signal)) {
      all.push(event);
      setTimeout(() => stop.abort(), 1);
    }
    expect(all).toEqual([{ type: "text-delta", text: "Let me" }]);
    await closed;
    expect(await collect(model.stream(REQUEST, AbortSignal.abort()))).toEqual([]);
  });

  test("closes the socket when nobody listens any more", async () => {
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const { model } = await startProvider(protocol, [
      (response, one) => {
        response.once("close", close);
        hang(protocol)(response, one);
      },
    ]);
    for await (const _event of model.stream(REQUEST, new AbortController().signal)) break;
    await closed;
  });

  test("names the variable of a missing key, and asks nobody", async () => {
    const { model, asked } = await startProvider(protocol, [FULL[protocol]], { provider: { apiKey: undefined } });
    expect(await ask(model)).toEqual([
      { type: "failed", fault: { kind: "auth", message: "Maker needs a key: set MAKER_API_KEY.", retryable: false } },
    ]);
    expect(asked).toEqual([]);
  });

  test("shows no images to an endpoint that refused one", async () => {
    const { model, asked } = await startProvider(protocol, [
      refuse(400, "This model does not support image input"),
      FULL[protocol],
    ]);
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const messages: Message[] = [{ role: "user", id: "u" as MessageId, parts: [image] }];
    const all = await ask(model, { messages });
    await ask(model, { messages });
    expect(all.at(-1)).toEqual({ type: "finish", reason: "calls" });
    expect(asked.map(({ body }) => JSON.stringify(body).includes("iVBOR"))).toEqual([true, false, false]);
    expect(JSON.stringify(asked[1]?.body)).toContain("[image: image/png]");
    expect(all.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        message: `${MODELS[protocol]} takes no images: from now on it is only told that there are some.`,
      },
    ]);
  });

  test("goes on showing images to an endpoint that could not read one", async () => {
    const { model, asked } = await startProvider(protocol, [
      refuse(400, "Invalid image: the image could not be decoded"),
      FULL[protocol],
    ]);
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const messages: Message[] = [{ role: "user", id: "u" as MessageId, parts: [image] }];
    const refused = await ask(model, { messages });
    await ask(model, { messages });
    expect(refused).toMatchObject([{ type: "failed", fault: { kind: "bad-request", retryable: false } }]);
    expect(asked.map(({ body }) => JSON.stringify(body).includes("iVBOR"))).toEqual([true, true]);
  });

  test("sends no key that cannot be one, and says which variable holds it", async () => {
    const { model, asked } = await startProvider(protocol, [FULL[protocol]], {
      provider: { apiKey: "abcdefgh12\nSECRETTAIL99" },
    });
    const all = await ask(model);
    expect(all).toMatchObject([{ type: "failed", fault: { kind: "auth", retryable: false } }]);
    expect(JSON.stringify(all)).toContain("MAKER_API_KEY");
    expect(JSON.stringify(all)).not.toMatch(/abcdefgh12|SECRETTAIL99/);
    expect(asked).toEqual([]);
  });
});

function hasCallSeal(protocol: Protocol): boolean {
  return protocol === "gemini" || protocol === "responses";
}

const PATHS: Record<Protocol, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1/models/gemini-3-pro:streamGenerateContent?alt=sse",
};

const KEY_HEADERS: Record<Protocol, string> = {
  chat: "authorization",
  responses: "authorization",
  messages: "x-api-key",
  gemini: "x-goog-api-key",
};

const SETTINGS: Record<Protocol, object> = {
  chat: {
    model: "some-model",
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.2,
    max_tokens: 500,
    reasoning_effort: "high",
  },
  responses: {
    model: "gpt-5",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "session-1",
    max_output_tokens: 500,
    reasoning: { effort: "high", summary: "auto" },
  },
  messages: {
    model: "claude-sonnet-4-6",
    stream: true,
    max_tokens: 500,
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "look" }, { name: "touch", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] }],
  },
  gemini: {
    generationConfig: {
      temperature: 0.2,
      maxOutputTokens: 500,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "high" },
    },
    systemInstruction: { parts: [{ text: "Be brief." }] },
  },
};

// biome-ignore lint/suspicious/noExplicitAny: bodies are asserted as they are.
function replayed(protocol: Protocol, body: any): unknown {
  if (protocol === "gemini") return body.contents;
  return protocol === "responses" ? body.input.slice(1) : body.messages;
}

const REPLAYED: Record<Protocol, unknown> = {
  chat: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "Let me look.",
      reasoning_content: "Hmm.",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } },
        { id: "c2", type: "function", function: { name: "look", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "ok" },
    { role: "tool", tool_call_id: "c2", content: "ok" },
  ],
  responses: [
    { role: "user", content: [{ type: "input_text", text: "hi" }] },
    { type: "reasoning", id: "rs_1", encrypted_content: "sealed", summary: [{ type: "summary_text", text: "Hmm." }] },
    { role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
    { type: "function_call", call_id: "c1", name: "look", arguments: '{"a":1}' },
    { type: "function_call", call_id: "c2", name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "ok" },
    { type: "function_call_output", call_id: "c2", output: "ok" },
  ],
  messages: [
    { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hmm.", signature: "signed" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "c1", name: "look", input: { a: 1 } },
        { type: "tool_use", id: "c2", name: "look", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "ok" },
        { type: "tool_result", tool_use_id: "c2", content: "ok", cache_control: { type: "ephemeral" } },
      ],
    },
  ],
  gemini: [
    { role: "user", parts: [{ text: "hi" }] },
    {
      role: "model",
      parts: [
        { text: "Hmm.", thought: true },
        { text: "Let me look." },
        { functionCall: { id: "c1", name: "look", args: { a: 1 } }, thoughtSignature: "signed" },
        { functionCall: { id: "c2", name: "look", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "c1", name: "look", response: { name: "look", content: "ok" } } },
        { functionResponse: { id: "c2", name: "look", response: { name: "look", content: "ok" } } },
      ],
    },
  ],
};

const FIRST_TEXT: Record<Protocol, readonly unknown[]> = {
  chat: [chat({ content: "Let me" })],
  responses: [
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
    { type: "response.output_text.delta", item_id: "msg_1", delta: "Let me" },
  ],
  messages: [
    { type: "message_start", message: { id: "m", model: "c", usage: { input_tokens: 50, output_tokens: 0 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me" } },
  ],
  gemini: [{ candidates: [{ content: { parts: [{ text: "Let me" }] } }] }],
};

const HALF_CALL: Record<Protocol, readonly unknown[]> = {
  chat: [
    chat({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: '{"a"' } }] }),
  ],
  responses: [
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", id: "fc", call_id: "c1", name: "look", arguments: "" },
    },
    { type: "response.function_call_arguments.delta", item_id: "fc", output_index: 1, delta: '{"a"' },
  ],
  messages: [
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c1", name: "look", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a"' } },
  ],
  gemini: [],
};

const BROKEN = Object.fromEntries(
  PROTOCOLS.map((protocol) => [protocol, events(...FIRST_TEXT[protocol], ...HALF_CALL[protocol])]),
) as Record<Protocol, Answer>;

const hang =
  (protocol: Protocol): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(FIRST_TEXT[protocol].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));
  };

const STOPPED: Answer = events(chat({ content: "ok" }, "stop"));

describe("what endpoints refuse", () => {
  const rows: readonly (readonly [sentence: string, before: object, after: object])[] = [
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { max_tokens: 9 },
      { max_completion_tokens: 9 },
    ],
    [
      "Unsupported value: 'temperature' does not support 0.5. Only the default (1) value is supported.",
      { temperature: 0.5 },
      {},
    ],
    ["Unknown parameter: stream_options", { stream_options: { include_usage: true } }, {}],
    ["reasoning_effort is not supported by this model", { reasoning_effort: "high" }, {}],
  ];

  test.each(rows)("is left out from then on: %s", async (sentence, before, after) => {
    const { model, asked } = await startProvider("chat", [refuse(400, sentence), STOPPED], {
      provider: { temperature: 0.5, maxOutputTokens: 9 },
    });
    expect((await ask(model, { thoughtLevel: "high" })).at(-1)).toEqual({ type: "finish", reason: "stop" });
    await ask(model, { thoughtLevel: "high" });
    const [name] = Object.keys(before) as [string];
    expect(asked[0]?.body).toMatchObject(before);
    for (const later of asked.slice(1)) {
      expect(later.body).not.toHaveProperty(name);
      expect(later.body).toMatchObject(after);
    }
    expect(asked).toHaveLength(3);
  });

  test("is tried once more only, when that was not it", async () => {
    const { model, asked } = await startProvider("chat", [refuse(400, "temperature is not supported")], {
      provider: { temperature: 1 },
    });
    expect((await ask(model)).at(-1)).toMatchObject({ type: "failed", fault: { kind: "bad-request" } });
    expect(asked).toHaveLength(2);
  });
});

describe("the end of an answer", () => {
  const blocked = (finishReason: string) =>
    events({ candidates: [{ content: { parts: [{ text: "x" }] }, finishReason }] });
  const claude = (stop_reason: string) =>
    events(
      ...FIRST_TEXT.messages,
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    );
  const rows: readonly (readonly [Protocol, string, Answer, object])[] = [
    ["chat", "stop", STOPPED, { reason: "stop" }],
    ["chat", "length", events(chat({ content: "x" }, "length")), { reason: "length" }],
    ["chat", "content_filter", events(chat({ content: "x" }, "content_filter")), { reason: "refusal" }],
    ["chat", "a word of its own", events(chat({ content: "x" }, "eos")), { reason: "stop" }],
    [
      "chat",
      "insufficient_system_resource",
      events(chat({ content: "x" }, "insufficient_system_resource")),
      { fault: { kind: "overloaded" } },
    ],
    [
      "chat",
      "an error in the stream",
      events(chat({ content: "x" }), { error: { message: "overloaded", code: 503 } }),
      { fault: { kind: "overloaded" } },
    ],
    ["messages", "end_turn", claude("end_turn"), { reason: "stop" }],
    ["messages", "refusal", claude("refusal"), { reason: "refusal" }],
    ["messages", "max_tokens", claude("max_tokens"), { reason: "length" }],
    [
      "messages",
      "an error in the stream",
      events(...FIRST_TEXT.messages, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      { fault: { kind: "overloaded" } },
    ],
    [
      "messages",
      "an error at once",
      events({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      { fault: { kind: "overloaded" } },
    ],
    [
      "responses",
      "an error at once",
      events({ type: "error", error: { type: "x", code: "rate_limit_exceeded", message: "Rate limit reached" } }),
      { fault: { kind: "rate-limit" } },
    ],
    [
      "responses",
      "too long",
      events(...FIRST_TEXT.responses, {
        type: "response.incomplete",
        response: { incomplete_details: { reason: "max_output_tokens" }, usage: { input_tokens: 1, output_tokens: 1 } },
      }),
      { reason: "length" },
    ],
    ["gemini", "SAFETY", blocked("SAFETY"), { reason: "refusal" }],
    ["gemini", "MAX_TOKENS", blocked("MAX_TOKENS"), { reason: "length" }],
    [
      "gemini",
      "MALFORMED_FUNCTION_CALL",
      blocked("MALFORMED_FUNCTION_CALL"),
      { fault: { kind: "model", retryable: true } },
    ],
    ["gemini", "a blocked prompt", events({ promptFeedback: { blockReason: "SAFETY" } }), { reason: "refusal" }],
  ];

  test.each(rows)("%s: %s", async (protocol, _name, answer, end) => {
    const { model } = await startProvider(protocol, [answer]);
    expect((await ask(model)).at(-1)).toMatchObject(end);
  });

  test("keeps a picture as a word for it", async () => {
    const inlineData = { mimeType: "image/png", data: "iVBORw0KGgo=" };
    const { model } = await startProvider("gemini", [
      events({ candidates: [{ content: { parts: [{ inlineData }] }, finishReason: "STOP" }] }),
    ]);
    expect(await ask(model)).toEqual([
      { type: "text-delta", text: "[image: image/png, 8 bytes]" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("tells the model of a call without a name", async () => {
    const nameless = { index: 0, id: "c1", type: "function", function: { arguments: "{}" } };
    const { model } = await startProvider("chat", [
      events(chat({ content: "I look." }), chat({ tool_calls: [nameless] }), chat({}, "tool_calls")),
    ]);
    expect(await ask(model)).toEqual([
      { type: "text-delta", text: "I look." },
      { type: "call", id: "c1", name: "unnamed", input: "{}" },
      { type: "finish", reason: "calls" },
    ]);
  });

  test.each([
    ["stop", { prompt_tokens: "100" }],
    ["length", "none"],
    ["content_filter", { completion_tokens: [] }],
  ])("is what it was (%s), though what was spent cannot be understood", async (finish, usage) => {
    const reasons: Record<string, string> = { stop: "stop", length: "length", content_filter: "refusal" };
    const said = { type: "text-delta", text: "ok" };
    const end = { type: "finish", reason: reasons[finish] };
    const behind = events(chat({ content: "ok" }), chat({}, finish), { id: "c", choices: [], usage }, "[DONE]");
    const within = events(chat({ content: "ok" }), { ...chat({}, finish), usage }, "[DONE]");
    for (const answer of [behind, within]) {
      const { model } = await startProvider("chat", [answer]);
      expect(await ask(model)).toEqual([said, end]);
    }
  });

  test("does not run a call that was cut off by the limit", async () => {
    const cut = [...HALF_CALL.chat, chat({}, "length")];
    const { model } = await startProvider("chat", [events(...cut)]);
    expect(await ask(model)).toEqual([{ type: "finish", reason: "length" }]);
  });

  test("passes on a call that the model wrote badly: the model is told", async () => {
    const { model } = await startProvider("chat", [events(...HALF_CALL.chat, chat({}, "tool_calls"))]);
    expect(await ask(model)).toEqual([
      { type: "call", id: "c1", name: "look", input: '{"a"' },
      { type: "finish", reason: "calls" },
    ]);
  });
});

describe("thought and caches", () => {
  const bodyOf = async (protocol: Protocol, setup: Setup, more: Partial<ModelRequest> = {}) => {
    const { model, asked } = await startProvider(protocol, [FULL[protocol]], setup);
    await ask(model, more);
    return asked[0]?.body;
  };

  test("gives a budget to a Claude that counts its thoughts", async () => {
    const body = await bodyOf("messages", { model: "claude-sonnet-4-5" }, { thoughtLevel: "low" });
    expect(body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 4_096 }, max_tokens: 32_000 + 4_096 });
  });

  test("gives no budget after a call that did not begin with thinking: Claude would refuse", async () => {
    const messages: Message[] = [
      ...REQUEST.messages,
      {
        role: "assistant",
        id: "a" as MessageId,
        parts: [{ type: "call", callId: "c" as CallId, name: "look", input: "{}" }],
      },
    ];
    const body = await bodyOf("messages", { model: "claude-sonnet-4-5" }, { thoughtLevel: "low", messages });
    expect(body.thinking).toBeUndefined();
  });

  test("asks for thoughts to be shown where nobody chose a level", async () => {
    expect((await bodyOf("responses", {})).reasoning).toEqual({ summary: "auto" });
    expect((await bodyOf("messages", { model: "claude-sonnet-5" })).thinking).toEqual({
      type: "adaptive",
      display: "summarized",
    });
    expect((await bodyOf("messages", {})).thinking).toBeUndefined();
    expect((await bodyOf("gemini", { model: "gemini-2.5-pro" })).generationConfig.thinkingConfig).toEqual({
      includeThoughts: true,
    });
    expect(await bodyOf("chat", {})).not.toHaveProperty("reasoning_effort");
  });

  test("marks at most four places, and moves only the marks", async () => {
    const { model, asked } = await startProvider("messages", [FULL.messages]);
    let messages = REQUEST.messages;
    for (let step = 0; step < 4; step++) {
      const said = heard(await ask(model, { messages }));
      messages = [
        ...messages,
        ...JSON.parse(JSON.stringify(said).replaceAll('"c1"', `"c1-${step}"`).replaceAll('"c2"', `"c2-${step}"`)),
      ];
    }
    const bare = asked.map(({ body }) =>
      JSON.stringify(body.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', ""),
    );
    for (const { body } of asked) expect(JSON.stringify(body).split("cache_control").length - 1).toBeLessThanOrEqual(4);
    for (let at = 1; at < bare.length; at++) expect(bare[at]?.startsWith(bare[at - 1]?.slice(0, -1) ?? "?")).toBe(true);
  });

  test("marks a Claude behind OpenRouter, and nobody else", async () => {
    const provider = { id: "openrouter" };
    const marked = await bodyOf("chat", { provider, model: "anthropic/claude-opus-4.6" });
    expect(marked.messages).toEqual([
      { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
      { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
    ]);
    expect(JSON.stringify(await bodyOf("chat", { provider }))).not.toContain("cache_control");
    expect(await bodyOf("chat", {})).not.toHaveProperty("prompt_cache_key");
  });
});

test("reads a key from nowhere but the provider", async () => {
  const { model, asked } = await startProvider("chat", [STOPPED], { provider: { apiKey: undefined, needsKey: false } });
  await ask(model);
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

test.each(PROTOCOLS)("sends a body that the protocol allows, for any history: %s", async (protocol) => {
  const { model, asked } = await startProvider(protocol, [FULL[protocol]]);
  const part = fc.oneof(
    fc.constantFrom("", "x ").map((text) => ({ type: "text" as const, text })),
    fc
      .constantFrom("a", "b.c", "")
      .map((callId) => ({ type: "call" as const, callId: callId as CallId, name: "look", input: "{" })),
  );
  const history = fc.array(
    fc.oneof(
      fc.record({
        role: fc.constant("user" as const),
        parts: fc.array(fc.constant({ type: "text" as const, text: "u" }), { maxLength: 2 }),
      }),
      fc.record({ role: fc.constant("assistant" as const), parts: fc.array(part, { maxLength: 3 }) }),
      fc.record({
        role: fc.constant("result" as const),
        callId: fc.constantFrom("a", "b.c", ""),
        parts: fc.constant([]),
      }),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(history, async (messages) => {
      const all = await ask(model, { messages: messages as unknown as Message[] });
      expect(all.at(-1)).toEqual({ type: "finish", reason: "calls" });
      expect(WIRE_PROBLEMS[protocol](asked.at(-1)?.body)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: bodies are whatever was sent.
type Sent = any;

/** What each provider would object to in a body, by its own documentation. */
const WIRE_PROBLEMS: Record<Protocol, (body: Sent) => string[]> = {
  chat({ messages }) {
    const problems: string[] = [];
    let open: string[] = [];
    for (const message of messages.slice(1)) {
      if (message.role === "tool") {
        if (!open.includes(message.tool_call_id)) problems.push("a result of nobody");
        open = open.filter((id) => id !== message.tool_call_id);
        if (!message.content) problems.push("an empty result");
        continue;
      }
      if (open.length > 0) problems.push("a call without a result");
      open = (message.tool_calls ?? []).map((call: Sent) => call.id);
      if (!message.content && open.length === 0) problems.push("an empty message");
    }
    if (messages.at(-1).role === "assistant") problems.push("ends with the assistant");
    return problems;
  },
  responses({ input }) {
    const calls = input.filter((item: Sent) => item.type === "function_call").map((item: Sent) => item.call_id);
    const results = input
      .filter((item: Sent) => item.type === "function_call_output")
      .map((item: Sent) => item.call_id);
    return calls.join() === results.join() && new Set(calls).size === calls.length ? [] : ["calls and results differ"];
  },
  messages({ messages }) {
    const problems: string[] = [];
    messages.forEach((message: Sent, at: number) => {
      if (message.role !== (at % 2 === 0 ? "user" : "assistant")) problems.push("roles do not alternate");
      if (message.content.length === 0) problems.push("an empty message");
      const uses = message.content.filter((block: Sent) => block.type === "tool_use").map((block: Sent) => block.id);
      const next = messages[at + 1]?.content ?? [];
      const results = next
        .filter((block: Sent) => block.type === "tool_result")
        .map((block: Sent) => block.tool_use_id);
      if (uses.join() !== results.join()) problems.push("calls and results differ");
      if (uses.some((id: string) => !/^[a-zA-Z0-9_-]+$/.test(id))) problems.push("an id");
    });
    if (messages.at(-1).role === "assistant") problems.push("ends with the assistant");
    return problems;
  },
  gemini({ contents }) {
    const problems: string[] = [];
    contents.forEach((content: Sent, at: number) => {
      const calls = content.parts.filter((part: Sent) => part.functionCall).length;
      const responses = (contents[at + 1]?.parts ?? []).filter((part: Sent) => part.functionResponse).length;
      if (calls !== responses) problems.push("calls and responses differ");
      if (content.parts.length === 0) problems.push("an empty content");
    });
    if (contents[0].role !== "user" || contents.at(-1).role !== "user") problems.push("begins or ends with the model");
    return problems;
  },
};
