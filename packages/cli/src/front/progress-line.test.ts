import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { createProgressLine, isWatched, type ProgressLine, type ProgressState, toText } from "./progress-line.ts";

let line: ProgressLine | undefined;
afterEach(() => {
  line?.close();
  vi.useRealTimers();
});

const open = ({ env = {}, columns = 80 }: { env?: Record<string, string>; columns?: number } = {}) => {
  vi.useFakeTimers();
  let written = "";
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  stderr.write = ((text: string) => {
    written += text;
    return true;
  }) as typeof stderr.write;
  line = createProgressLine({ stderr, env });
  const take = (): string => {
    const taken = written;
    written = "";
    return taken;
  };
  return { line, take };
};

const state = { step: 2, title: "npm test", tokens: 1_234 };

test("is rewritten in place, quietly", () => {
  const { line, take } = open();
  line.show(state);
  expect(take()).toBe("\r\x1b[K\x1b[2mstep 2 · npm test · 1.2k tokens · 0 s\x1b[22m");
  vi.advanceTimersByTime(2_000);
  expect(take()).toMatch(/· 1 s[\s\S]*· 2 s/);
  line.close();
  expect(take()).toBe("\r\x1b[K");
});

test("has no colour where none is wanted", () => {
  const { line, take } = open({ env: { NO_COLOR: "1" } });
  line.show(state);
  expect(take()).toBe("\r\x1b[Kstep 2 · npm test · 1.2k tokens · 0 s");
});

test("is drawn at once for another call, and not for every token", () => {
  const { line, take } = open();
  line.show(state);
  take();
  line.show({ ...state, tokens: 1_300 });
  expect(take()).toBe("");
  line.show({ ...state, title: "ls" });
  expect(take()).toContain("ls");
});

test("stays away while something else is written", () => {
  const { line, take } = open();
  line.show(state);
  take();
  line.hold();
  expect(take()).toBe("\r\x1b[K");
  line.show({ ...state, step: 3 });
  vi.advanceTimersByTime(3_000);
  expect(take()).toBe("");
  line.release();
  line.show({ ...state, step: 4 });
  expect(take()).toContain("step 4");
});

test("fits the terminal, and gives it no orders", () => {
  const { line, take } = open({ env: { NO_COLOR: "1" }, columns: 20 });
  line.show({ ...state, title: "\x1b[31mred\nalert there" });
  expect(take()).toBe("\r\x1b[Kstep 2 · red alert…");
});

test.each<[boolean | undefined, Record<string, string>, boolean]>([
  [true, {}, true],
  [undefined, {}, false],
  [true, { CI: "true" }, false],
  [true, { TERM: "dumb" }, false],
])("is shown where stderr is a terminal (%s) in %j: %s", (isTTY, env, expected) => {
  expect(isWatched({ stderr: Object.assign(new PassThrough(), { isTTY }), env })).toBe(expected);
});

test.each<[string, ProgressState, number, string]>([
  ["begins with thinking", { step: 0, title: "", tokens: 0 }, 80, "thinking · 1 s"],
  ["keeps its numbers", { ...state, title: "x".repeat(99) }, 40, "step 2 · xxxxxxxxxx… · 1.2k tokens · 1 s"],
  [
    "counts what is wide twice",
    { ...state, title: "日本語日本語日本語" },
    40,
    "step 2 · 日本語日本… · 1.2k tokens · 1 s",
  ],
  ["is one line", { ...state, title: "a\n\u001b[2Jb" }, 80, "step 2 · a b · 1.2k tokens · 1 s"],
  ["has no room for numbers", { ...state, title: "npm test" }, 12, "step 2 · np…"],
])("%s", (_, shown, columns, text) => {
  expect(toText(shown, 1_500, columns)).toBe(text);
});
