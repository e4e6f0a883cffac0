import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Silence } from "./silence.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("is told once it has lasted, counted from the last word", () => {
  const silence = new Silence();
  const then = vi.fn();
  silence.begin(100, then);
  vi.advanceTimersByTime(99);
  silence.broken();
  vi.advanceTimersByTime(99);
  expect(then).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(then).toHaveBeenCalledOnce();
});

test("does not count while one waits for us, and begins anew after", async () => {
  const silence = new Silence();
  const then = vi.fn();
  silence.begin(100, then);
  let finish = (): void => {};
  const working = silence.during(new Promise<void>((resolve) => (finish = resolve)));
  silence.broken();
  vi.advanceTimersByTime(1000);
  expect(then).not.toHaveBeenCalled();
  finish();
  await working;
  vi.advanceTimersByTime(99);
  expect(then).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(then).toHaveBeenCalledOnce();
});

test("may last as long as one likes", () => {
  const silence = new Silence();
  const then = vi.fn();
  silence.begin(Number.MAX_SAFE_INTEGER, then);
  vi.advanceTimersByTime(1_000_000);
  expect(then).not.toHaveBeenCalled();
});

test("is not told after the end", () => {
  const silence = new Silence();
  const then = vi.fn();
  silence.begin(100, then);
  silence.end();
  silence.broken();
  vi.advanceTimersByTime(1000);
  expect(then).not.toHaveBeenCalled();
});
