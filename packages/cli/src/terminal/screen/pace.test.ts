import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace } from "./pace.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const frames: number[] = [];
  const startedAt = Date.now();
  const pace = createPace(
    () => frames.push(Date.now() - startedAt),
    () => Date.now(),
  );
  return { pace, frames };
}

test("paints the first change at once, the next ones thirty times a second, and the last one always", () => {
  const { pace, frames } = open();
  for (let ms = 0; ms < 100; ms++) {
    pace.ask();
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1_000);
  expect(frames).toEqual([0, 33, 66, 99, 132]);
});

test("paints nothing while nothing changes, and at once when something does", () => {
  const { pace, frames } = open();
  pace.ask();
  vi.advanceTimersByTime(500);
  pace.ask();
  vi.advanceTimersByTime(500);
  expect(frames).toEqual([0, 500]);
});

test.each([
  [5, 33],
  [20, 80],
  [9_000, 250],
])("a frame that takes %i ms is followed by the next after %i ms", (ms, rest) => {
  const { pace, frames } = open();
  pace.took(ms);
  pace.ask();
  vi.advanceTimersByTime(1);
  pace.ask();
  vi.advanceTimersByTime(1_000);
  expect((frames[1] ?? 0) - (frames[0] ?? 0)).toBe(rest);
});

test("paints nothing after it was stopped, until it is asked again", () => {
  const { pace, frames } = open();
  pace.ask();
  pace.stop();
  vi.advanceTimersByTime(1_000);
  expect(frames).toEqual([]);
  pace.ask();
  vi.advanceTimersByTime(1_000);
  expect(frames).toHaveLength(1);
});
