import fc from "fast-check";
import { expect, test } from "vitest";
import { toUsage } from "./to-usage.ts";

const count = fc.oneof(fc.double(), fc.integer(), fc.constant(undefined), fc.constant("100" as unknown as number));

test("counts are whole and not below nothing, whatever a provider counts", () => {
  fc.assert(
    fc.property(fc.array(count, { minLength: 7, maxLength: 7 }), fc.boolean(), (counts, hasPrices) => {
      const [total, noCache, cacheRead, cacheWrite, output, text, reasoning] = counts;
      const usage = toUsage(
        {
          inputTokens: { total, noCache, cacheRead, cacheWrite },
          outputTokens: { total: output, text, reasoning },
          raw: { cost: -1, prompt_cache_hit_tokens: total as number },
        },
        hasPrices ? { input: 1, output: 2 } : undefined,
      );
      for (const [name, value] of Object.entries(usage ?? {})) {
        expect(Number.isFinite(value) && value >= 0).toBe(true);
        if (name !== "cost") expect(Number.isInteger(value)).toBe(true);
      }
    }),
  );
});

test("fractions are rounded, and nothing is no usage", () => {
  const usage = (total: number, output: number) =>
    toUsage(
      {
        inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: output, text: undefined, reasoning: undefined },
      },
      undefined,
    );
  expect(usage(10.5, 0.25)).toEqual({ inputTokens: 11, outputTokens: 0 });
  expect(usage(-500, -5)).toBeUndefined();
  expect(usage(Number.NaN, Number.POSITIVE_INFINITY)).toBeUndefined();
});
