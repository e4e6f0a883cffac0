// The fake itself: what it records, what it refuses, when it says that a client has left.

import { describe, expect, test } from "vitest";
import type { Protocol } from "../../packages/agent/src/provider/provider.ts";
import { type FakeProvider, formats, startFakeProvider } from "./fake-provider.ts";
import { ask, cut, end, problem, say, stall, think } from "./script.ts";

const PROTOCOLS: readonly Protocol[] = ["chat", "responses", "messages", "gemini"];

const paths = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1beta/models/some-model:streamGenerateContent?alt=sse",
};

function post(provider: FakeProvider, path: string, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ model: "some-model" });
  const headers = { authorization: "Bearer k", "x-api-key": "k", "x-goog-api-key": "k" };
  return fetch(provider.url + path, { method: "POST", headers, body, ...(signal && { signal }) });
}

/** The events of a body, as values; what is no JSON stays text. */
function eventsIn(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice(6))
    .map((data) => (data.startsWith("{") ? JSON.parse(data) : data));
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  const path = paths[protocol];

  test("records the request, and says the words of the model that was asked for", async () => {
    await using provider = await startFakeProvider([[say("Hello")]]);

    const text = await (await post(provider, path)).text();

    expect(text).toContain("Hello");
    expect(text).toContain("some-model");
    const [request] = provider.requests;
    expect(request).toMatchObject({ method: "POST", path, body: { model: "some-model" }, leftAt: undefined });
    expect(formats[protocol].keyOf(request?.headers ?? {})).toBe("k");
  });

  test("knows when a client leaves, and is not told so when it breaks off itself", async () => {
    await using provider = await startFakeProvider([
      [say("a"), stall()],
      [say("a"), cut()],
    ]);
    const leaving = new AbortController();

    const stalled = await post(provider, path, leaving.signal);
    leaving.abort();
    await provider.until(() => provider.requests[0]?.leftAt !== undefined);
    await expect(stalled.text()).rejects.toThrow();
    await expect((await post(provider, path)).text()).rejects.toThrow();

    expect(provider.requests[1]?.leftAt).toBeUndefined();
  });

  test("refuses what its script does not have", async () => {
    await using provider = await startFakeProvider([]);

    expect((await post(provider, path)).status).toBe(400);
  });
});

test("chat ends with its usage and a last word", async () => {
  await using provider = await startFakeProvider([[ask("c", "read", { path: "a/b/c" }), end("stop")]]);

  const events = eventsIn(await (await post(provider, paths.chat)).text());

  expect(events.slice(-3)).toMatchObject([
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
    "[DONE]",
  ]);
});

test("responses numbers its events, and closes every item it opens", async () => {
  await using provider = await startFakeProvider([[think("sealed", "Hm"), say("Yes"), ask("c", "read", { a: 1 })]]);

  const events = eventsIn(await (await post(provider, paths.responses)).text()) as {
    readonly type: string;
    readonly sequence_number: number;
    readonly output_index?: number;
  }[];

  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  const items = (type: string) => events.filter((event) => event.type === type).map((event) => event.output_index);
  expect(items("response.output_item.added")).toEqual([0, 1, 2]);
  expect(items("response.output_item.done")).toEqual([0, 1, 2]);
  expect(events.at(-1)).toMatchObject({
    type: "response.completed",
    response: { output: [{ type: "reasoning" }, { type: "message" }, { type: "function_call" }] },
  });
});

test("messages opens one block at a time, and says what follows from the calls", async () => {
  await using provider = await startFakeProvider([[think("sealed", "Hm"), say("Yes"), ask("c", "read", { a: 1 })]]);

  const events = eventsIn(await (await post(provider, paths.messages)).text()) as {
    readonly type: string;
    readonly index?: number;
  }[];

  const blocks = events.filter(({ type }) => /^content_block_st/.test(type)).map(({ type, index }) => [type, index]);
  expect(blocks).toEqual(
    [0, 1, 2].flatMap((at) => [
      ["content_block_start", at],
      ["content_block_stop", at],
    ]),
  );
  expect(events.slice(-2)).toMatchObject([
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ]);
});

test("a list of models, and nothing else, is given without a script", async () => {
  await using provider = await startFakeProvider([[problem("server")]]);

  const models = await (await fetch(`${provider.url}/v1/models`)).json();

  expect(models).toMatchObject({ object: "list", data: [{ id: "text" }, { id: "other" }] });
  expect((await fetch(`${provider.url}/v1/engines`)).status).toBe(404);
  expect(provider.others.map(({ path }) => path)).toEqual(["/v1/models", "/v1/engines"]);
  expect(provider.requests).toEqual([]);
});
