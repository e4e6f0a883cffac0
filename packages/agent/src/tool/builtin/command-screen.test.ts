import { beforeEach, expect, test } from "vitest";
import type { CallContent } from "../../event/event.ts";
import { text } from "../../message/message.ts";
import { type Clock, createScreen } from "./command-screen.ts";

let shown: CallContent[];
let screen: ReturnType<typeof createScreen>;

let now: number;
let due: { readonly at: number; readonly act: () => void } | undefined;

const clock: Clock = {
  now: () => now,
  later(act, ms) {
    due = { at: now + ms, act };
    return () => {
      due = undefined;
    };
  },
};

function pass(ms: number): void {
  const until = now + ms;
  for (; due !== undefined && due.at <= until; ) {
    const { at, act } = due;
    due = undefined;
    now = at;
    act();
  }
  now = until;
}

beforeEach(() => {
  [shown, now, due] = [[], 0, undefined];
  screen = createScreen({ show: (content) => void shown.push(...content) }, clock);
});

test("shows the end of the output at once while there is little of it", () => {
  screen.write("one\n");
  screen.write("two\n");

  expect(shown).toEqual([text("```\none\n```"), text("```\none\ntwo\n```")]);
});

test("sends a flood in few and short looks, the last of which comes when there is room for it", () => {
  for (let at = 0; at < 200; at++) {
    screen.write("x".repeat(16_000));
    pass(75);
  }
  const bytes = JSON.stringify(shown).length;
  screen.write("\nthe end");
  pass(3_000);

  // 15 seconds: what may be sent at once, and a KiB for each of them.
  expect(bytes).toBeLessThan(36 * 1024);
  expect(JSON.stringify(shown.at(-1))).toContain("the end");
});

test("goes on showing what a long run says", () => {
  for (let at = 0; at < 6_000; at++) {
    screen.write(`${"line ".repeat(20)}${at}\n`);
    pass(100);
  }

  // Ten minutes: a look in two seconds or so.
  expect(shown.length).toBeGreaterThan(300);
  expect(JSON.stringify(shown).length).toBeLessThan(700 * 1024);
});

test("shows nothing more at the end, and nothing but the terminal where there is one", () => {
  screen.write("x".repeat(100_000));
  expect(screen.end()).toBeUndefined();
  const before = shown.length;
  screen.write("late");
  pass(100_000);
  expect(shown.length).toBe(before);

  const other = createScreen({ show: (content) => void shown.push(...content) });
  other.terminal("term_1");
  other.write("output");
  expect(other.end()).toEqual({ type: "terminal", terminalId: "term_1" });
  expect(shown.slice(before)).toEqual([{ type: "terminal", terminalId: "term_1" }]);
});
