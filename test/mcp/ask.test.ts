// What servers ask while they work: a form or a page for the person, a word of the model, the folders they may use.

import { expect, test } from "vitest";
import { call, stall, text, when } from "../../packages/agent/src/model/script.ts";
import type { ScriptedSetup } from "../agent/connect-scripted.ts";
import { until } from "../process/until.ts";
import { connect, odd, openWith, scene, script, told } from "./door.ts";

type Elicit = NonNullable<NonNullable<ScriptedSetup["handlers"]>["createElicitation"]>;

const FORMS = { elicitation: { form: {} } } as never;
const PAGES = { elicitation: { form: {}, url: {} } } as never;

async function answered(elicit: Elicit): Promise<unknown> {
  await using scripted = await connect({
    script: script(call("mcp_scene_ask")),
    handlers: { createElicitation: elicit },
    capabilities: FORMS,
  });
  await scripted.prompt(await openWith(scripted, scene("scene")), "go");
  return JSON.parse(told(scripted)[0] ?? "");
}

test("a form of a server reaches the client, and the answer reaches the server (C-249b, C-249c)", async () => {
  const asked: unknown[] = [];

  const answer = await answered((params) => {
    asked.push(params);
    return { action: "accept", content: { which: "left", sure: true } };
  });

  expect(asked).toEqual([
    {
      mode: "form",
      sessionId: "sess_1",
      message: "scene: Which?",
      requestedSchema: {
        type: "object",
        properties: { which: { type: "string", enum: ["left", "right"] }, sure: { type: "boolean" } },
        required: ["which"],
      },
    },
  ]);
  expect(answer).toEqual({ action: "accept", content: { which: "left", sure: true } });
});

test.each<readonly [string, Elicit, string]>([
  ["declines", () => ({ action: "decline" }), "decline"],
  ["cancels", () => ({ action: "cancel" }), "cancel"],
  ["answers what nobody knows", () => ({ action: "perhaps" }) as never, "cancel"],
  ["answers with what is no form", () => ({ action: "accept", content: { which: { a: 1 } } }) as never, "cancel"],
  ["fails", () => Promise.reject(new Error("no window")), "cancel"],
])("C-249e a client that %s has not accepted", async (_, elicit, action) => {
  expect(await answered(elicit)).toEqual({ action });
});

test("C-249a a server is not answered by a client that cannot ask", async () => {
  await using scripted = await connect({ script: script(call("mcp_scene_ask")) });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  expect(scripted.calls).toEqual(["session/request_permission"]);
  expect(JSON.parse(told(scripted)[0] ?? "")).toEqual({ action: "cancel" });
});

test("a question that waits for the person ends with its turn", async () => {
  let signal: AbortSignal | undefined;
  await using scripted = await connect({
    script: script(call("mcp_scene_ask")),
    handlers: {
      createElicitation: (_, context) => {
        signal = context.signal;
        return new Promise((resolve) => {
          signal?.addEventListener("abort", () => resolve({ action: "cancel" }));
        });
      },
    },
    capabilities: FORMS,
  });
  const sessionId = await openWith(scripted, scene("scene"));
  const turn = scripted.client.prompt(sessionId, "go");
  await scripted.until(() => scripted.calls.includes("elicitation/create"));

  await scripted.client.cancel(sessionId);

  expect((await turn.result).stopReason).toBe("cancelled");
  expect(signal?.aborted).toBe(true);
});

test("C-249f, C-249i a page is shown under an id of its own, and nothing of it comes back but the consent", async () => {
  const url = "https://example.org/sign-in?state=abc";
  const asked: { elicitationId?: string }[] = [];
  await using scripted = await connect({
    script: script(call("mcp_scene_page", { url }), call("mcp_scene_page", { url })),
    handlers: {
      createElicitation: (params) => {
        asked.push(params as never);
        return { action: "accept", content: { token: "from-the-page" } };
      },
    },
    capabilities: PAGES,
  });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  const [first, second] = asked.map(({ elicitationId }) => elicitationId);
  expect(asked[0]).toEqual({
    mode: "url",
    sessionId: "sess_1",
    message: "scene: Sign in",
    url,
    elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(first).not.toBe(second);
  expect(told(scripted)).toEqual(['{"action":"accept"}', '{"action":"accept"}']);
  expect(JSON.stringify(scripted.model.asked)).not.toContain("from-the-page");
});

test.each([
  ["without encryption", "http://example.org/"],
  ["with credentials", "https://me:hidden@example.org/"],
  ["that is a script", "javascript:alert(1)"],
  ["that is a file", "file:///etc/passwd"],
  ["without end", `https://example.org/${"x".repeat(9_000)}`],
])("C-249g a page %s is not shown", async (_, url) => {
  await using scripted = await connect({
    script: script(call("mcp_scene_page", { url })),
    handlers: { createElicitation: () => ({ action: "accept" }) },
    capabilities: PAGES,
  });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  expect(scripted.calls).not.toContain("elicitation/create");
  expect(JSON.parse(told(scripted)[0] ?? "")).not.toMatchObject({ action: "accept" });
});

test("C-249g a page on this machine is shown, as servers under development have them", async () => {
  await using scripted = await connect({
    script: script(call("mcp_scene_page", { url: "http://localhost:3000/x" })),
    handlers: { createElicitation: () => ({ action: "accept" }) },
    capabilities: PAGES,
  });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  expect(told(scripted)).toEqual(['{"action":"accept"}']);
});

test("a server may ask the model where the person allows it", async () => {
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^Hm\?$/ }, text("An answer.")),
      when({ lastUserText: /^go$/ }, call("mcp_scene_sample", { text: "Hm?" })),
      when({ lastResult: /./ }, text("done")),
    ],
  });
  const sessionId = await openWith(scripted, scene("scene"));

  const { text: said } = await scripted.prompt(sessionId, "go");

  expect(scripted.asked.map(({ toolCall }) => [toolCall.name, toolCall.title, toolCall.kind])).toEqual([
    ["mcp_scene_sample", "Scene: sample", "other"],
    ["mcp_scene_sampling", "The MCP server scene wants to ask the model: Hm?", "think"],
  ]);
  expect(scripted.model.asked[1]).toEqual({
    system: "Be brief.",
    messages: [{ role: "user", id: "sample_0", parts: [{ type: "text", text: "Hm?" }] }],
    tools: [],
  });
  expect(JSON.parse(told(scripted)[0] ?? "")).toEqual({
    model: "scripted/script",
    stopReason: "endTurn",
    role: "assistant",
    content: { type: "text", text: "An answer." },
  });
  expect(said).toBe("done");
});

test("a server is refused the model where the person does not allow it", async () => {
  await using scripted = await connect({
    script: script(call("mcp_scene_sample", { text: "Hm?" })),
    handlers: {
      requestPermission: ({ toolCall }) => ({
        outcome: { outcome: "selected", optionId: toolCall.name === "mcp_scene_sample" ? "allow_once" : "reject_once" },
      }),
    },
  });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  expect(scripted.model.asked).toHaveLength(2);
  expect(JSON.parse(told(scripted)[0] ?? "")).toEqual({
    error: expect.objectContaining({ message: expect.stringContaining("The person did not allow it.") }),
  });
});

test("a server is not told more of the model than it asked for", async () => {
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^Hm\?$/ }, text("word ".repeat(1_000))),
      when({ lastUserText: /^go$/ }, call("mcp_scene_sample", { text: "Hm?" })),
      when({ lastResult: /./ }, text("done")),
    ],
  });

  await scripted.prompt(await openWith(scripted, scene("scene")), "go");

  const { stopReason, content } = JSON.parse(told(scripted)[0] ?? "");
  expect(stopReason).toBe("maxTokens");
  expect(content.text.length).toBeLessThan(100);
});

test("a server that waits for the model is refused when the turn is cancelled", async () => {
  const said: string[] = [];
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^Hm\?$/ }, text("Well, "), stall()),
      when({ lastUserText: /^go$/ }, call("mcp_scene_sample", { text: "Hm?" })),
    ],
    runtime: { log: (line) => void said.push(line) },
  });
  const sessionId = await openWith(scripted, scene("scene"));
  const turn = scripted.client.prompt(sessionId, "go");
  await until(() => scripted.model.asked.length === 2);

  await scripted.client.cancel(sessionId);

  expect((await turn.result).stopReason).toBe("cancelled");
  await until(() => said.some((line) => line.includes("The turn was cancelled.")));
});

test("a server that asks where it may work is told the folders of the session", async () => {
  await using scripted = await connect({ script: script(call("mcp_odd_roots")) });
  const further = await scripted.folder("further");
  const mcpServers = [odd("odd")] as never;
  const { sessionId } = await scripted.client.newSession({
    cwd: scripted.cwd,
    additionalDirectories: [further],
    mcpServers,
  });

  await scripted.prompt(sessionId, "go");

  expect(JSON.parse(told(scripted)[0] ?? "")).toEqual({
    roots: [
      { uri: `file://${scripted.cwd}`, name: "work" },
      { uri: `file://${further}`, name: "further" },
    ],
  });
});
