// What goes out: the whole request, in each of the four wire formats.

import { type AnyTool, defineTool } from "@agentao/agent";
import { describe, expect, test } from "vitest";
import type { Protocol } from "../../packages/agent/src/provider/provider.ts";
import { connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { goldens, PROMPT } from "./golden.ts";
import { lastSaid, saidIn } from "./said.ts";
import { ask, type Reply, say, think } from "./script.ts";

const turn: readonly Reply[] = [
  [
    think("seal", "H", "m."),
    say("I ", "look."),
    ask("call_a", "look_up", { word: "one" }, "sig"),
    ask("call_b", "look_up", { word: "two" }),
  ],
  [say("Done.")],
];

const paths: Readonly<Record<Protocol, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
};

const PIXEL = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

const images: Readonly<Record<Protocol, object>> = {
  chat: { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
  responses: { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
  messages: {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
  },
  gemini: { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
};

describe.each(PROTOCOLS)("%s", (protocol) => {
  test("a tool turn: what was said, thought, asked for and found goes back in the provider's own form", async () => {
    await using connected = await connectProvider(protocol, turn);

    await connected.prompt(PROMPT);

    expect(connected.provider.requests[1]?.body).toEqual(goldens[protocol]);
    expect(connected.provider.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill(`POST ${paths[protocol]}`),
    );
    expect(connected.provider.others).toEqual([]);
  });

  test("each request begins with the one before", async () => {
    await using connected = await connectProvider(protocol, [...turn, [say("Sure.")]]);
    const sessionId = await connected.agent.open();

    await connected.agent.prompt(sessionId, PROMPT);
    await connected.agent.prompt(sessionId, "Really?");

    const [first, second, third] = connected.provider.requests.map(saidIn);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(third?.slice(0, second?.length)).toEqual(second);
  });

  test("an image of the prompt", async () => {
    await using connected = await connectProvider(protocol, [[say("A pixel.")]]);

    await connected.prompt([{ type: "text", text: "What is it?" }, PIXEL]);

    const { content, parts } = lastSaid(connected.provider.requests.at(-1));
    expect(content ?? parts).toContainEqual(images[protocol]);
  });

  test("an image that a tool shows, behind the call that it belongs to", async () => {
    const replies = [[ask("call_a", "paint", {}, "sig")], [say("A pixel.")]];
    await using connected = await connectProvider(protocol, replies, { runtime: { tools: [paintTool()] } });

    await connected.prompt("go");

    const [request] = connected.provider.requests.slice(-1);
    expect(partsIn(saidIn(request).slice(2))).toContainEqual(images[protocol]);
    expect(JSON.stringify(saidIn(request))).toContain("painted");
  });

  test("a call that failed is told with its id and what went wrong", async () => {
    await using connected = await connectProvider(protocol, [[ask("call_a", "fly", { to: "x" }, "sig")], [say("ok")]]);

    await connected.prompt("go");

    const told = JSON.stringify(lastSaid(connected.provider.requests.at(-1)));
    expect(told).toContain("call_a");
    expect(told).toContain("fly");
  });
});

test("Claude is told that a call failed by a flag of its own", async () => {
  await using connected = await connectProvider("messages", [[ask("call_a", "fly", {})], [say("ok")]]);

  await connected.prompt("go");

  expect(lastSaid(connected.provider.requests.at(-1)).content).toMatchObject([
    { type: "tool_result", tool_use_id: "call_a", is_error: true },
  ]);
});

test("what a person puts into the configuration goes out too: headers, temperature, further fields", async () => {
  await using connected = await connectProvider("chat", [[say("ok")]], {
    provider: { headers: { "x-team": "blue" }, temperature: 0.2, maxOutputTokens: 77, extraBody: { top_k: 5 } },
  });

  await connected.prompt("go");

  const [request] = connected.provider.requests;
  expect(request?.headers).toMatchObject({ "x-team": "blue" });
  expect(request?.body).toMatchObject({ temperature: 0.2, max_tokens: 77, top_k: 5 });
});

test("a server of one's own gets no key where there is none", async () => {
  await using connected = await connectProvider("chat", [[say("ok")]], {
    provider: { apiKey: undefined, needsKey: false },
  });

  expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(connected.provider.requests[0]?.headers).not.toHaveProperty("authorization");
});

function paintTool(): AnyTool {
  return defineTool<object>({
    name: "paint",
    description: "Paints.",
    inputSchema: { type: "object", properties: {} },
    parse: (input) => ({ input }),
    plan: () => ({ title: "Paint", kind: "other", locations: [], effect: { type: "other", readOnly: true } }),
    run: async () => ({ told: [{ type: "text", text: "painted" }, PIXEL] }),
  });
}

/** Everything in it that has a form, at any depth. */
function partsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsIn)];
}
