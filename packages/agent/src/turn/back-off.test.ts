import { describe, expect, test } from "vitest";
import { fault } from "../fault/fault.ts";
import { BackOff } from "./back-off.ts";

const policy = { attempts: 5, baseMs: 1_000, maxMs: 30_000, budgetMs: 60_000 };
const overloaded = fault("overloaded", "The provider is overloaded.");
const middle = (): number => 0.5;

function waits(count: number, backOff: BackOff): (number | undefined)[] {
  return Array.from({ length: count }, () => backOff.waitFor(overloaded));
}

describe("BackOff", () => {
  test("doubles, and gives up after the last attempt", () => {
    expect(waits(5, new BackOff(policy, middle))).toEqual([1_000, 2_000, 4_000, 8_000, undefined]);
  });

  test("waits no longer than the longest wait, nor all together longer than the budget", () => {
    expect(waits(4, new BackOff({ ...policy, attempts: 9, maxMs: 3_000, budgetMs: 8_000 }, middle))).toEqual([
      1_000,
      2_000,
      3_000,
      undefined,
    ]);
  });

  test("differs from one caller to the next by a third at most", () => {
    expect(new BackOff(policy, () => 0).waitFor(overloaded)).toBe(700);
    expect(new BackOff(policy, () => 1).waitFor(overloaded)).toBe(1_300);
  });

  test("does what the provider asks for, where that is affordable", () => {
    const asking = (retryAfterMs: number) => fault("rate-limit", "Slow down.", { retryAfterMs });
    expect(new BackOff(policy, middle).waitFor(asking(12_000))).toBe(12_000);
    expect(new BackOff(policy, middle).waitFor(asking(10))).toBe(1_000);
    expect(new BackOff(policy, middle).waitFor(asking(61_000))).toBeUndefined();
  });

  test("does not repeat what cannot succeed", () => {
    expect(new BackOff(policy, middle).waitFor(fault("auth", "No key."))).toBeUndefined();
  });

  test("counts its attempts", () => {
    const backOff = new BackOff(policy, middle);
    expect(backOff.next).toBe(2);
    backOff.waitFor(overloaded);
    expect(backOff.next).toBe(3);
  });
});
