// Google's Gemini: every event is a whole answer with the parts that are new; calls come whole, and are sealed.

import type { EndReason, ProblemKind, Spent } from "./script.ts";
import type { Problem, Voice, WireFormat } from "./wire-format.ts";

export const gemini: WireFormat = {
  base: "/v1beta",
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  modelOf: (path) => /models\/(.+):/.exec(path)?.[1] ?? "",
  keyOf: (headers) => String(headers["x-goog-api-key"]),
  createVoice,
  problem: toProblem,
};

function createVoice(model: string, spent: Spent): Voice {
  const usageMetadata = toUsage(spent);
  const event = (candidate: object): string =>
    toEvent({ candidates: [{ ...candidate, index: 0 }], usageMetadata, modelVersion: model, responseId: "resp_1" });
  const parts = (...parts: readonly object[]): string => event({ content: { parts, role: "model" } });
  return {
    begin: () => "",
    text: (text) => parts({ text }),
    reasoning: (text) => parts({ text, thought: true }),
    seal: () => "",
    call: ({ id, name, input, seal }) =>
      parts({ functionCall: { name, args: readArgs(input), id }, ...(seal && { thoughtSignature: seal }) }),
    keepAlive: () => ": keep-alive\r\n\r\n",
    garbage: () => 'data: {"candidates": [{"content": {"parts": [{"text": "bro\r\n\r\n',
    problem: ({ body }) => toEvent(body),
    end: (reason) =>
      reason === "filter"
        ? toEvent({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata, modelVersion: model })
        : event({ content: { parts: [{ text: "" }], role: "model" }, finishReason: toFinish(reason) }),
  };
}

/** Its lines end as those of old do. */
function toEvent(event: object): string {
  return `data: ${JSON.stringify(event)}\r\n\r\n`;
}

/** Arguments are an object here; what is no object cannot be said. */
function readArgs(input: string): unknown {
  return JSON.parse(input);
}

function toFinish(reason: Exclude<EndReason, "filter">): string {
  switch (reason) {
    case "stop":
      return "STOP";
    case "length":
      return "MAX_TOKENS";
    case "refusal":
      return "SAFETY";
  }
}

function toUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens = 0 }: Spent): object {
  return {
    promptTokenCount: inputTokens,
    // What was thought stands beside what was said.
    candidatesTokenCount: outputTokens - reasoningTokens,
    totalTokenCount: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  };
}

function toProblem(kind: ProblemKind): Problem {
  const body = (code: number, status: string, message: string, details: readonly object[] = []): Problem => ({
    status: code,
    body: { error: { code, message, status, ...(details.length > 0 && { details }) } },
  });
  switch (kind) {
    case "key":
      // A key that is wrong is a bad request to Google.
      return body(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "API_KEY_INVALID",
          domain: "googleapis.com",
          metadata: { service: "generativelanguage.googleapis.com" },
        },
      ]);
    case "forbidden":
      return body(403, "PERMISSION_DENIED", "Generative Language API has not been used in this project before.");
    case "rate-limit":
      return body(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan.", [
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" },
      ]);
    case "server":
      return body(500, "INTERNAL", "An internal error has occurred. Please retry.");
    case "overloaded":
      return body(503, "UNAVAILABLE", "The model is overloaded. Please try again later.");
    case "overflow":
      return body(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      );
    case "filter":
      return body(400, "INVALID_ARGUMENT", "The prompt was blocked.");
  }
}
