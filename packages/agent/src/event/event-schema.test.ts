// The schema against what a session really tells: everything it says is allowed, and nothing that lacks a field is.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EntryBody } from "../journal/entry.ts";
import { memoryStore } from "../journal/memory-store.ts";
import { localMachine } from "../machine/local-machine.ts";
import { createCatalogue } from "../model/catalogue.ts";
import { call, cut, fail, notice, reasoning, text, when } from "../model/script.ts";
import { scriptedModel } from "../model/scripted.ts";
import type { Door } from "../session/door.ts";
import { createRuntime } from "../session/runtime.ts";
import type { LastingEvent, SessionEvent } from "./event.ts";
import { eventSchema } from "./event-schema.ts";

const isEvent = new Ajv({ strict: true, allowUnionTypes: true }).compile(eventSchema);
const folder = mkdtempSync(join(tmpdir(), "agentao-event-schema-"));
let events: readonly SessionEvent[] = [];

beforeAll(async () => {
  events = await tellStories();
}, 30_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every event of every kind that a session tells is an event of the schema", () => {
  const wrong = events.filter((event) => !isEvent(onTheWire(event)));
  expect(wrong).toEqual([]);
  // A kind without a schema does not compile, and one that no story tells fails here.
  const told = [...new Set(events.map(({ type }) => type))].sort();
  expect(told).toEqual(kinds());
  expect(told).toEqual([
    "aside",
    "call",
    "call-ended",
    "call-output",
    "call-running",
    "compacting",
    "compaction-failed",
    "mode",
    "model",
    "notice",
    "plan",
    "prompt",
    "reasoning",
    "reasoning-delta",
    "summary",
    "text",
    "text-delta",
    "thought-level",
    "title",
    "trimmed",
    "turn-ended",
    "usage",
  ]);
});

test("an event that lacks a field it must have is none", () => {
  const one = new Map(events.map((event) => [event.type, event]));
  const lenient = [...one.values()].flatMap((event) => {
    const whole = onTheWire(event) as Record<string, unknown>;
    // `at` is what the journal adds.
    const may = ["opaque", "apart", "content", "locations", "at"];
    return Object.keys(whole)
      .filter((key) => !may.includes(key))
      .filter((key) => isEvent({ ...whole, [key]: undefined }))
      .map((key) => `${event.type} without ${key}`);
  });
  expect(lenient).toEqual([]);
});

test.each<[string, unknown]>([
  ["an unknown tag", { type: "text-chunk", messageId: "msg_1", text: "a" }],
  ["a field of another type", { type: "text-delta", messageId: "msg_1", text: 1 }],
  ["an outcome without its fault", { type: "turn-ended", turnId: "turn_1", outcome: { type: "failed" } }],
  [
    "a line before the first",
    { type: "call-ended", callId: "c", failed: false, told: [], locations: [{ path: "/a", line: 0 }] },
  ],
  ["a role that does not prompt", { type: "prompt", turnId: "t", message: { role: "assistant", id: "m", parts: [] } }],
])("%s is refused", (_, value) => {
  expect(isEvent(value)).toBe(false);
});

test("a field that it does not know is allowed", () => {
  expect(isEvent({ type: "title", title: "A lamp", later: true })).toBe(true);
});

/** Those the schema knows. */
function kinds(): readonly string[] {
  const { oneOf } = eventSchema as { oneOf: readonly { properties: { type: { const: string } } }[] };
  return oneOf.map(({ properties }) => properties.type.const).sort();
}

/** As a reader in another process gets it. */
function onTheWire(event: SessionEvent): unknown {
  return JSON.parse(JSON.stringify(event));
}

async function tellStories(): Promise<SessionEvent[]> {
  const heard: SessionEvent[] = [];
  writeFileSync(join(folder, "lamp.txt"), "a lamp\n");
  writeFileSync(join(folder, "long.txt"), "a long line about lamps\n".repeat(800));
  const long = text("word ".repeat(6_000));
  const model = scriptedModel(
    [
      when({ lastUserText: /^Sum up this session\./ }, fail("bad-request", "No summaries here.")),
      when({ lastUserText: /^Sum up this session\./ }, text("They spoke of lamps.")),
      [
        notice("A notice."),
        reasoning("A plan first.", { signature: "s" }),
        text("I look."),
        call("read_file", { file_path: "long.txt" }),
        call("todo_write", { todos: [{ content: "Look", status: "pending" }] }),
        call("read_file", { file_path: "lamp.txt" }),
        call("write_file", { file_path: "new.txt", content: "new\n" }),
        call("run_shell_command", { command: "echo lamp" }),
        call("no_such_tool", {}),
      ],
      [long],
      [long],
      [text("Sunny.")],
      [fail("auth", "The key is missing.")],
      [text("Half"), cut()],
      [text(" of it.")],
    ],
    { info: { windowTokens: 20_000, thoughtLevels: ["low", "high"] } },
  );
  const other = scriptedModel([], { info: { id: "scripted/other" } });
  const runtime = createRuntime({
    store: memoryStore(),
    catalogue: createCatalogue([model, other]),
    machine: (roots) => localMachine({ roots, spillFolder: join(folder, "spill") }),
    config: async () => ({ env: { PATH: process.env.PATH } }),
    retry: { attempts: 2, baseMs: 1, maxMs: 1, budgetMs: 1_000 },
  });
  const door: Door = {
    onEvent: (event) => {
      heard.push(event);
      return undefined;
    },
    askPermission: async () => "allow_once",
    askPerson: async () => ({ type: "unavailable" }),
  };
  const opened = await runtime.create({ cwd: folder }, () => door);
  if (opened.type !== "opened") throw new Error(opened.type);
  const { session } = opened;
  session.setThoughtLevel("high");
  for (const words of ["Go.", "More.", "More.", "Weather?", "Again?", "And?"]) {
    await session.prompt([
      { type: "text", text: words },
      { type: "link", uri: "file:///a", name: "a" },
    ]);
  }
  session.setMode("plan");
  session.setModel("scripted/other");
  await runtime.closeSession(session.id);
  // What was told in pieces is written down whole, and is a lasting event when it is told again.
  const again = await runtime.open(session.id, { cwd: folder }, () => door);
  if (again.type !== "opened") throw new Error(again.type);
  const written: EntryBody[] = [];
  for await (const entries of again.replay()) written.push(...entries);
  await runtime.close();
  return [...heard, ...written.filter(isLasting)];
}

/** What else is written is for the record. */
function isLasting(entry: EntryBody): entry is LastingEvent {
  return entry.type !== "decision" && entry.type !== "interrupted" && entry.type !== "roots";
}
