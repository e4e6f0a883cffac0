// OpenAI's chat completions, and what copies them added: reasoning beside the content.

import { type Call, type EndReason, type ProblemKind, piecesOf, type Spent } from "./script.ts";
import { type Problem, plainEvent, type Voice, type WireFormat } from "./wire-format.ts";

export const chat: WireFormat = {
  base: "/v1",
  path: /^\/v1\/chat\/completions$/,
  modelOf: (_, { model }) => String(model),
  keyOf: ({ authorization }) => String(authorization).replace("Bearer ", ""),
  createVoice,
  problem: openAiProblem,
};

function createVoice(model: string, spent: Spent): Voice {
  let calls = 0;
  const chunk = (choices: readonly object[], more: object = {}): string =>
    plainEvent({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_767_355_200,
      model,
      system_fingerprint: "fp_1",
      choices,
      ...more,
    });
  const delta = (delta: object): string => chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]);
  return {
    begin: () => delta({ role: "assistant", content: "" }),
    text: (content) => delta({ content }),
    reasoning: (piece) => delta({ reasoning_content: piece }),
    seal: () => "",
    call(call) {
      const index = calls++;
      return toCallDeltas(call, index).map(delta).join("");
    },
    keepAlive: () => ": keep-alive\n\n",
    garbage: () => 'data: {"id":"chatcmpl-1","choices":[{"delta":{"content":"bro\n\n',
    problem: ({ body }) => plainEvent(body),
    end: (reason) =>
      [
        chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: toFinish(reason, calls) }]),
        chunk([], { usage: toUsage(spent) }),
        "data: [DONE]\n\n",
      ].join(""),
  };
}

/** Name and id come first, with empty arguments; after them only the place says whose arguments these are. */
function toCallDeltas({ id, name, input }: Call, index: number): object[] {
  const first = { index, id, type: "function", function: { name, arguments: "" } };
  const rest = piecesOf(input).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((call) => ({ tool_calls: [call] }));
}

function toFinish(reason: EndReason, calls: number): string {
  switch (reason) {
    case "stop":
      return calls > 0 ? "tool_calls" : "stop";
    case "length":
      return "length";
    case "refusal":
    case "filter":
      return "content_filter";
  }
}

function toUsage({ inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }: Spent): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, audio_tokens: 0 },
  };
}

/** Servers that only speak like OpenAI repeat the whole key; OpenAI itself hides its middle. */
export function openAiProblem(kind: ProblemKind, key: string): Problem {
  const body = (message: string, type: string, code: string | null, param: string | null = null): object => ({
    error: { message, type, param, code },
  });
  switch (kind) {
    case "key":
      return {
        status: 401,
        body: body(
          `Incorrect API key provided: ${key}. You can find your API key in your account settings.`,
          "invalid_request_error",
          "invalid_api_key",
        ),
      };
    case "forbidden":
      return {
        status: 403,
        body: body("Project does not have access to this model.", "invalid_request_error", "model_not_found"),
      };
    case "rate-limit":
      return {
        status: 429,
        body: body("Rate limit reached for requests per minute. Limit: 3.", "requests", "rate_limit_exceeded"),
      };
    case "server":
      return {
        status: 500,
        body: body("The server had an error while processing your request. Sorry about that!", "server_error", null),
      };
    case "overloaded":
      return { status: 503, body: body("The engine is currently overloaded.", "server_error", null) };
    case "overflow":
      return {
        status: 400,
        body: body(
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
          "invalid_request_error",
          "context_length_exceeded",
          "messages",
        ),
      };
    case "filter":
      return {
        status: 400,
        body: body(
          "The response was filtered due to the prompt triggering the content management policy.",
          "invalid_request_error",
          "content_filter",
          "prompt",
        ),
      };
  }
}
