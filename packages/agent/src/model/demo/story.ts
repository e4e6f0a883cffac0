// How a wish is fulfilled: a story that asks for tool calls, hears what came of them, and ends with something to say.
// It has no memory of its own: told again from the start with the same outcomes, it comes to the same point.

import { type Fault, fault } from "../../fault/fault.ts";
import { delay, reasoning, type Step, text } from "../script.ts";
import { type ErrandWish, type ToolUse, toErrand } from "./errand.ts";
import { parseWish } from "./parse-wish.ts";
import type { Sentences } from "./sentence.ts";
import type { Wish } from "./wish.ts";

/** What the demo says and asks for before it hears outcomes, one for each call. */
export interface Act {
  readonly say: readonly Step[];
  readonly calls: readonly ToolUse[];
}

export interface Outcome {
  readonly type: "done" | "failed" | "denied";
  readonly told: string;
}

export type Story = Generator<Act, readonly Step[], readonly Outcome[]>;

interface StoryRoom {
  /** Names of the tools on offer; no other is ever asked for. */
  readonly tools: ReadonlySet<string>;
  readonly say: Sentences;
  /** Between two words of the counting demo. */
  readonly paceMs: number;
}

const MAX_COUNT = 10_000;
const MAX_PLAN_ITEMS = 8;
const RETRY_AFTER_MS = 1_000;

export function* tell(wish: Wish, room: StoryRoom): Story {
  const { say } = room;
  switch (wish.type) {
    case "list":
    case "find":
    case "read":
    case "search":
    case "write":
    case "run":
    case "ask":
      return yield* goOnErrand(wish, room);
    case "replace":
      return yield* readThenReplace(wish, room);
    case "plan":
      return yield* workThrough(wish.items, room);
    case "think":
      return [...say.thoughts(wish.about).map((thought) => reasoning(thought)), text(say.thought(wish.about))];
    case "count":
      return count(wish.to, wish.what, room);
    case "fail":
      return [{ type: "fault", fault: toFault(wish.kind, say) }];
    case "help":
      return [text(say.help)];
    case "unknown":
      return [text(`${say.notUnderstood}\n\n${say.help}`)];
  }
}

function* goOnErrand(wish: ErrandWish, { tools, say }: StoryRoom): Story {
  const { ways, before, after } = toErrand(wish, say);
  const use = ways.find(({ name }) => tools.has(name));
  if (use === undefined) return [text(say.noTool(ways.map(({ name }) => name)))];
  const outcome = yield* ask(use, before);
  return [text(outcome.type === "done" ? after(outcome.told) : regret(outcome, say))];
}

function* ask(use: ToolUse, before: string): Generator<Act, Outcome, readonly Outcome[]> {
  const [outcome] = yield { say: [text(before)], calls: [use] };
  return outcome ?? { type: "failed", told: "" };
}

function regret({ type, told }: Outcome, say: Sentences): string {
  return type === "denied" ? say.denied(told) : say.failed(told);
}

/** Looks before it changes, as a model does. */
function* readThenReplace(wish: Extract<Wish, { type: "replace" }>, room: StoryRoom): Story {
  const { tools, say } = room;
  if (tools.has("read_file") && tools.has("replace")) {
    const seen = yield* ask({ name: "read_file", input: { file_path: wish.path } }, say.reading(wish.path));
    if (seen.type !== "done") return [text(regret(seen, say))];
  }
  return yield* goOnErrand(wish, room);
}

/** Each item is a wish like any other; the list is kept up to date where there is a tool for it. */
function* workThrough(wanted: readonly string[], room: StoryRoom): Story {
  const { tools, say } = room;
  const all = wanted.length > 0 ? wanted : say.planItems;
  const items = all.slice(0, MAX_PLAN_ITEMS);
  let saying: readonly Step[] = [text(say.planning(items, all.length - items.length))];
  for (const [at, item] of items.entries()) {
    if (tools.has("todo_write")) {
      yield { say: saying, calls: [todos(items, at)] };
      saying = [];
    }
    const { wish } = parseWish(item);
    const isPossible = wish.type !== "unknown" && wish.type !== "plan";
    saying = isPossible ? yield* opening(saying, tell(wish, room)) : paragraphs(saying, [text(say.cannotDo(item))]);
  }
  if (tools.has("todo_write")) {
    yield { say: saying, calls: [todos(items, items.length)] };
    saying = [];
  }
  return paragraphs(saying, [text(say.planDone)]);
}

/** The same story with something said before its first act, or before its end where it has none. */
function* opening(saying: readonly Step[], story: Story): Story {
  const first = story.next();
  if (first.done) return paragraphs(saying, first.value);
  let outcomes = yield { ...first.value, say: paragraphs(saying, first.value.say) };
  for (;;) {
    const next = story.next(outcomes);
    if (next.done) return next.value;
    outcomes = yield next.value;
  }
}

function paragraphs(first: readonly Step[], second: readonly Step[]): readonly Step[] {
  return first.length === 0 || second.length === 0 ? [...first, ...second] : [...first, text("\n\n"), ...second];
}

function todos(items: readonly string[], current: number): ToolUse {
  const status = (at: number): string => (at < current ? "completed" : at === current ? "in_progress" : "pending");
  return { name: "todo_write", input: { todos: items.map((content, at) => ({ content, status: status(at) })) } };
}

const WORDS = "the demo says one word after another so that you can see how streaming looks and cancel it".split(" ");

function count(to: number, what: "numbers" | "words", { say, paceMs }: StoryRoom): readonly Step[] {
  const last = Math.min(to, MAX_COUNT);
  const steps: Step[] = [];
  for (let at = 1; at <= last; at++) {
    const word = what === "numbers" ? String(at) : (WORDS[(at - 1) % WORDS.length] as string);
    steps.push(text(at === last ? word : `${word} `), delay(paceMs));
  }
  return last < to || last === 0 ? [...steps, text(say.counted(last))] : steps;
}

function toFault(kind: Fault["kind"], say: Sentences): Fault {
  const told = fault(kind, say.failure);
  return kind === "rate-limit" ? { ...told, retryAfterMs: RETRY_AFTER_MS } : told;
}
