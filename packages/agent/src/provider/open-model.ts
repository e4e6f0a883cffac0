// The library behind a protocol, loaded when it is first needed and not before.

import type { LanguageModelV3 } from "@ai-sdk/provider";
import { isFields } from "../json/fields.ts";
import { bareUrl } from "./address.ts";
import { END_MARKS } from "./answer-end.ts";
import { noteReason } from "./chat-chunk.ts";
import { createFetch, type FetchHooks } from "./http.ts";
import { mergeDeltas } from "./merge-deltas.ts";
import { chatEvents, geminiEvents } from "./plain-answer.ts";
import type { Http, Provider } from "./provider.ts";
import type { Quirk } from "./quirk.ts";

/** Never sent to anybody: the libraries look into the process environment where they are given no key. */
const NO_KEY = "none";

/** `quirks` may grow later, and counts as it is when a request is sent. */
export async function openModel(
  provider: Provider,
  model: string,
  http: Http,
  quirks: ReadonlySet<Quirk>,
): Promise<LanguageModelV3> {
  const baseURL = bareUrl(provider.baseUrl);
  const headers = { ...provider.headers };
  const { extraBody } = provider;
  const rewrite =
    extraBody === undefined || Object.keys(extraBody).length === 0
      ? undefined
      : (body: string) => JSON.stringify(merge(JSON.parse(body), extraBody));
  const hooks: FetchHooks = {
    rewrite,
    receive: () => mergeDeltas(provider.protocol),
    events: { end: END_MARKS[provider.protocol], fromWhole: FROM_WHOLE[provider.protocol] },
  };
  const common = { baseURL, headers, apiKey: provider.apiKey || NO_KEY };
  switch (provider.protocol) {
    case "chat": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const { apiKey } = provider;
      return createOpenAICompatible({
        name: "chat",
        baseURL,
        headers,
        ...(apiKey ? { apiKey } : {}),
        includeUsage: true,
        // The body is rewritten below.
        fetch: createFetch(http, { ...hooks, rewrite: undefined }),
        metadataExtractor: noteReason,
        transformRequestBody: (body) => merge(toChatBody(body, provider, quirks), extraBody ?? {}),
      })(model);
    }
    case "responses": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...common, fetch: createFetch(http, hooks) }).responses(model);
    }
    case "messages": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...common, fetch: createFetch(http, hooks) }).messages(model);
    }
    case "gemini": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ ...common, fetch: createFetch(http, hooks) })(model);
    }
  }
}

/** Answers that came in one piece, where that is easily mended. */
const FROM_WHOLE = { chat: chatEvents, gemini: geminiEvents, responses: undefined, messages: undefined };

type Body = Record<string, unknown>;

function toChatBody(body: Body, provider: Provider, quirks: ReadonlySet<Quirk>): Body {
  const { max_tokens, stream_options, ...rest } = body;
  const isNew = quirks.has("max-tokens") || provider.baseUrl.startsWith("https://api.openai.com/");
  return {
    ...rest,
    ...(max_tokens !== undefined && { [isNew ? "max_completion_tokens" : "max_tokens"]: max_tokens }),
    ...(stream_options !== undefined && !quirks.has("stream-options") && { stream_options }),
  };
}

/** Objects are merged into each other, everything else is replaced. */
function merge(body: Body, extra: Readonly<Body>): Body {
  const merged: Body = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    const before = merged[name];
    merged[name] = isFields(before) && isFields(value) ? merge(before, value) : value;
  }
  return merged;
}
