import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { aborted, realDelay } from "./delay.ts";

const LONG_MS = 3_600_000;

test.each([0, 1])("waits %i ms and leaves nothing behind", async (ms) => {
  const { signal } = new AbortController();
  await realDelay(ms, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("ends at once when the signal fires, and leaves nothing behind", async () => {
  const controller = new AbortController();
  const waiting = realDelay(LONG_MS, controller.signal);
  controller.abort();
  await waiting;
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("does not begin to wait when the signal has fired", async () => {
  await realDelay(LONG_MS, AbortSignal.abort());
  await aborted(AbortSignal.abort());
});
