import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import type { ImagePart, Message } from "../message/message.ts";
import { type Maker, toOpaque } from "./opaque.ts";
import type { Protocol } from "./provider.ts";
import { toPrompt } from "./to-prompt.ts";

const PROTOCOLS: readonly Protocol[] = ["chat", "responses", "messages", "gemini"];
const ALL = { image: true, audio: true, reasoning: true };

const makerOf = (protocol: Protocol): Maker => ({ provider: "p", protocol, model: "m" });

const SEALS = {
  chat: {},
  responses: { openai: { itemId: "rs_1", reasoningEncryptedContent: "sealed" } },
  messages: { anthropic: { signature: "signed" } },
  gemini: { google: { thoughtSignature: "signed" } },
} as const;

const user = (...texts: string[]): Message => ({
  role: "user",
  id: "u" as MessageId,
  parts: texts.map((text) => ({ type: "text", text })),
});
const assistant = (...parts: Extract<Message, { role: "assistant" }>["parts"]): Message => ({
  role: "assistant",
  id: "a" as MessageId,
  parts,
});
const say = (text: string) => ({ type: "text", text }) as const;
const call = (id: string, input = "{}", opaque?: unknown) =>
  ({ type: "call", callId: id as CallId, name: "look", input, ...(opaque !== undefined && { opaque }) }) as const;
const result = (id: string, text: string, failed = false): Message => ({
  role: "result",
  callId: id as CallId,
  name: "look",
  failed,
  parts: [{ type: "text", text }],
});
const PNG: ImagePart = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

const prompt = (messages: readonly Message[], protocol: Protocol = "chat", takes = ALL, system = "") =>
  toPrompt(system, messages, makerOf(protocol), takes);

describe("a history as a prompt", () => {
  test("pairs calls with their results, in the order of the calls", () => {
    const history = [
      user("go"),
      assistant(say("Looking."), call("a", '{"x":1}'), call("b", "not json")),
      result("b", "second", true),
      result("a", "first"),
      assistant(say("Done.")),
      user("thanks"),
    ];
    expect(prompt(history, "chat", ALL, "Be brief.")).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool-call", toolCallId: "a", toolName: "look", input: { x: 1 } },
          { type: "tool-call", toolCallId: "b", toolName: "look", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "look", output: { type: "text", value: "first" } },
          { type: "tool-result", toolCallId: "b", toolName: "look", output: { type: "error-text", value: "second" } },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
      { role: "user", content: [{ type: "text", text: "thanks" }] },
    ]);
  });

  test("makes up the result of a call that was cut off, and leaves out a result that nobody asked for", () => {
    const made = prompt([user("go"), assistant(call("a")), user("and?"), result("zzz", "stray")]);
    expect(made.slice(2)).toEqual([
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "a",
            toolName: "look",
            output: { type: "error-text", value: "No result: the call was cut off before it ended." },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "and?" }] },
    ]);
  });

  test("writes ids as providers take them, the same for call and result, and never twice", () => {
    const made = prompt([
      user("go"),
      assistant(call("a.b/1"), call("a:b:1")),
      result("a:b:1", "2"),
      result("a.b/1", "1"),
    ]);
    expect(idsOf(made)).toEqual(["a_b_1", "a_b_1_2", "a_b_1", "a_b_1_2"]);
  });

  test("begins with the person and never ends with the model", () => {
    expect(prompt([assistant(say("Hello "))]).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(prompt([])).toEqual([{ role: "user", content: [{ type: "text", text: "Continue." }] }]);
  });

  test("merges neighbours of one role", () => {
    const made = prompt([user("a"), user(" ", "b"), assistant(say("c")), assistant(say(""), say("d")), user("e")]);
    expect(made).toEqual([
      { role: "user", content: [say("a"), say(" \n\nb")] },
      { role: "assistant", content: [say("c"), say("d")] },
      { role: "user", content: [say("e")] },
    ]);
  });

  test("shows images where they are taken, and names them where they are not", () => {
    const history: Message[] = [
      { role: "user", id: "u" as MessageId, parts: [PNG, { ...PNG, mimeType: "image/tiff" }] },
    ];
    const file = { type: "file", mediaType: "image/png", data: PNG.data };
    expect(prompt(history)[0]?.content).toEqual([file, say("[image: image/tiff]")]);
    expect(prompt(history, "chat", { ...ALL, image: false })[0]?.content).toEqual([
      say("[image: image/png]"),
      say("[image: image/tiff]"),
    ]);
  });

  test.each(["messages", "responses"] as const)("shows the images of a result inside it: %s", (protocol) => {
    const made = prompt(
      [user("go"), assistant(call("a")), { ...result("a", "see"), parts: [say("see"), PNG] } as Message],
      protocol,
    );
    expect(made[2]?.content).toMatchObject([
      {
        output: {
          type: "content",
          value: [
            { type: "text", text: "see" },
            { type: "image-data", data: PNG.data, mediaType: "image/png" },
          ],
        },
      },
    ]);
  });

  test.each(["chat", "gemini"] as const)("shows the images of a result right behind it: %s", (protocol) => {
    const history = [
      user("go"),
      assistant(call("a")),
      { ...result("a", ""), parts: [say("see"), PNG] } as Message,
      user("well?"),
    ];
    expect(prompt(history, protocol).slice(2)).toMatchObject([
      { role: "tool", content: [{ output: { type: "text", value: "see\n[image: image/png, below]" } }] },
      {
        role: "user",
        content: [say("What look (a) shows:"), { type: "file", mediaType: "image/png" }, say("well?")],
      },
    ]);
  });

  test.each(PROTOCOLS)("gives reasoning back to its maker only: %s", (protocol) => {
    const reasoning = { type: "reasoning", text: "hm", opaque: toOpaque(makerOf(protocol), SEALS[protocol]) } as const;
    const history = [user("go"), assistant(reasoning, say("so")), user("?")];
    const kinds = (made: LanguageModelV3Prompt) =>
      [...(made[1]?.content ?? [])].map((part) => (typeof part === "string" ? part : part.type));
    expect(kinds(prompt(history, protocol))).toEqual(["reasoning", "text"]);
    const maker = makerOf(protocol);
    for (const other of [
      { ...maker, model: "n" },
      { ...maker, provider: "q" },
    ]) {
      expect(kinds(toPrompt("", history, other, ALL))).toEqual(["text"]);
    }
    for (const other of PROTOCOLS.filter((name) => name !== protocol)) {
      expect(kinds(prompt(history, other))).toEqual(["text"]);
    }
    expect(
      kinds(prompt([user("go"), assistant({ ...reasoning, opaque: undefined }, say("so")), user("?")], protocol)),
    ).toEqual(["text"]);
  });

  test("leaves out what OpenAI could not read: an item of reasoning without its sealed content", () => {
    const opaque = toOpaque(makerOf("responses"), { openai: { itemId: "rs_1" } });
    const history = [user("go"), assistant({ type: "reasoning", text: "a", opaque }, say("so")), user("?")];
    expect(prompt(history, "responses")[1]?.content).toEqual([say("so")]);
  });

  test("gives a call its signature back, under the name its library reads", () => {
    const signed = { thoughtSignature: "s" };
    const options = (protocol: Protocol, metadata: Record<string, typeof signed>) => {
      const opaque = toOpaque(makerOf(protocol), metadata);
      return prompt([user("go"), assistant(call("a", "{}", opaque))], protocol)[1]?.content[0];
    };
    expect(options("gemini", { google: signed })).toMatchObject({ providerOptions: { google: signed } });
    expect(options("chat", { chat: signed })).toMatchObject({ providerOptions: { google: signed } });
  });

  test.each(PROTOCOLS)("is valid for any history: %s", (protocol) => {
    fc.assert(
      fc.property(histories(protocol), fc.boolean(), (history, image) => {
        const made = prompt(history, protocol, { ...ALL, image }, "system");
        expect(problemsOf(made, protocol)).toEqual([]);
        // The same history gives the same bytes, and is not touched.
        expect(JSON.stringify(prompt(history, protocol, { ...ALL, image }, "system"))).toBe(JSON.stringify(made));
      }),
      { numRuns: 300 },
    );
  });

  test.each(PROTOCOLS)("only grows at its end: %s", (protocol) => {
    fc.assert(
      fc.property(histories(protocol), (history) => {
        // Whole steps: every call has its result, and the person has the last word.
        const before = [...history, user("now")];
        const later = [...before, assistant(say("yes"), call("new")), result("new", "done"), user("more")];
        const short = prompt(before, protocol);
        expect(JSON.stringify(prompt(later, protocol).slice(0, short.length))).toBe(JSON.stringify(short));
      }),
      { numRuns: 100 },
    );
  });
});

function idsOf(made: LanguageModelV3Prompt): string[] {
  return made.flatMap((message) =>
    message.role === "assistant" || message.role === "tool"
      ? message.content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : []))
      : [],
  );
}

function histories(protocol: Protocol): fc.Arbitrary<Message[]> {
  const words = fc.oneof(fc.constantFrom("", " ", "\n", "hello", "ends in space "), fc.string());
  const ids = fc.oneof(fc.constantFrom("a", "b", "a.b", "a:b", "", "é"), fc.string()).map((id) => id as CallId);
  const opaque = fc.constantFrom(
    undefined,
    "junk",
    { provider: "p", protocol, model: "m", metadata: "junk" },
    toOpaque(makerOf(protocol), SEALS[protocol]),
    toOpaque({ ...makerOf(protocol), model: "other" }, SEALS[protocol]),
    toOpaque(makerOf("messages"), SEALS.messages),
  );
  const text = words.map(say);
  const image = fc.record({
    type: fc.constant("image" as const),
    data: fc.constantFrom("iVBORw0KGgo=", "", "https://x.test/a.png", "data:image/png;base64,AAAA", "file-abc"),
    mimeType: fc.constantFrom("image/png", "image/jpg", "image/bmp", "IMAGE/GIF", ""),
  });
  const audio = fc.record({
    type: fc.constant("audio" as const),
    data: fc.constant("AAAA"),
    mimeType: fc.constantFrom("audio/wav", "audio/ogg", "audio/mp3"),
  });
  const link = fc.constant({ type: "link" as const, uri: "file:///a", name: "a" });
  const resource = fc.constant({ type: "resource" as const, uri: "file:///a", text: "body" });
  const reasoning = fc.record({ type: fc.constant("reasoning" as const), text: words, opaque });
  const calls = fc.record({
    type: fc.constant("call" as const),
    callId: ids,
    name: fc.constantFrom("look", "", "9 lives", "a".repeat(80)),
    input: fc.constantFrom("{}", "", "null", "[1]", '{"a":', '{"a":{"b":[1]}}', '"x"'),
    opaque,
  });
  const id = fc.constant("m" as MessageId);
  return fc.array(
    fc.oneof(
      fc.record({
        role: fc.constant("user" as const),
        id,
        parts: fc.array(fc.oneof(text, image, audio, link, resource), { maxLength: 4 }),
      }),
      fc.record({
        role: fc.constant("assistant" as const),
        id,
        parts: fc.array(fc.oneof(text, reasoning, calls), { maxLength: 5 }),
      }),
      fc.record({
        role: fc.constant("result" as const),
        callId: ids,
        name: fc.constant("look"),
        failed: fc.boolean(),
        parts: fc.array(fc.oneof(text, image), { maxLength: 3 }),
      }),
    ),
    { maxLength: 12 },
  ) as fc.Arbitrary<Message[]>;
}

/** What a provider would object to. Knows nothing of how prompts are made. */
function problemsOf(made: LanguageModelV3Prompt, protocol: Protocol): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  const roles = made.map(({ role }) => role);
  if (roles[0] !== "system" || roles.lastIndexOf("system") !== 0) problems.push("system is not first");
  if (roles[1] !== "user") problems.push(`begins with ${roles[1]}`);
  if (roles.at(-1) === "assistant") problems.push("ends with the assistant");
  made.forEach((message, at) => {
    const next = made[at + 1];
    if (message.role === next?.role) problems.push(`two in a row: ${message.role}`);
    if (message.content.length === 0) problems.push(`empty ${message.role}`);
    if (message.role === "system") return;
    for (const part of message.content) {
      if (part.type === "text" && part.text.trim() === "") problems.push("blank text");
      if (part.type === "file" && !/^[A-Za-z0-9+/=]+$/.test(String(part.data))) problems.push("a file without bytes");
      if (part.type === "tool-call") {
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(part.toolCallId)) problems.push(`id ${part.toolCallId}`);
        if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(part.toolName)) problems.push(`name ${part.toolName}`);
        if (used.has(part.toolCallId)) problems.push(`id twice: ${part.toolCallId}`);
        if (typeof part.input !== "object" || part.input === null || Array.isArray(part.input)) problems.push("input");
        used.add(part.toolCallId);
      }
      if (part.type === "tool-result" && "value" in part.output && part.output.value === "")
        problems.push("blank result");
    }
    if (message.role === "assistant") {
      const calls = message.content.filter((part) => part.type === "tool-call");
      const answers = next?.role === "tool" ? next.content.filter((part) => part.type === "tool-result") : [];
      if (message.content.at(-1)?.type === "reasoning") problems.push("ends with reasoning");
      if (calls.map((part) => part.toolCallId).join() !== answers.map((part) => part.toolCallId).join()) {
        problems.push("calls without results, or results without calls");
      }
      for (const part of message.content) {
        if (part.type !== "reasoning") continue;
        const options = part.providerOptions ?? {};
        if (protocol === "messages" && options.anthropic?.signature === undefined) problems.push("unsigned thinking");
        if (protocol === "responses" && options.openai?.itemId === undefined) problems.push("reasoning of nobody");
      }
    }
    if (message.role === "tool" && made[at - 1]?.role !== "assistant") problems.push("results of nobody");
  });
  return problems;
}
