import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "./paint.ts";
import { costWord, type Status, statusLine } from "./status-line.ts";

const paint = createPaint(false);
const status: Status = {
  model: "anthropic/claude-sonnet-4-6",
  mode: "workspace-write",
  contextShare: 0.124,
  cost: { amount: 0.0132, currency: "USD" },
  branch: "feature/long-branch-name",
};

test.each([
  [100, "anthropic/claude-sonnet-4-6 · workspace-write · 12% full · $0.013 · feature/long-branch-name"],
  [85, "claude-sonnet-4-6 · workspace-write · 12% full · $0.013 · feature/long-branch-name"],
  [60, "claude-sonnet-4-6 · workspace-write · 12% full · $0.013"],
  [50, "claude-sonnet-4-6 · workspace-write · 12% full"],
  [40, "claude-sonnet-4-6 · 12% full"],
  [20, "claude-sonnet-4-6"],
  [10, "claude-so…"],
])("fits %i columns, and loses what matters least", (width, line) => {
  expect(statusLine(status, { width, paint })).toBe(line);
});

test("warns when the window is nearly full", () => {
  const line = statusLine({ ...status, contextShare: 0.91 }, { width: 120, paint: createPaint(true) });
  expect(line).toContain("\u001b[33m91% full");
});

test("leaves out what nobody has told", () => {
  const unknown = { model: undefined, mode: undefined, contextShare: undefined, cost: undefined, branch: undefined };
  expect(statusLine({ ...unknown, model: "m" }, { width: 40, paint })).toBe("m");
  expect(statusLine(unknown, { width: 40, paint })).toBe("");
});

test("is never wider than the screen", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 80 }), (name, width) => {
      expect(visibleWidth(statusLine({ ...status, model: name, branch: name }, { width, paint }))).toBeLessThanOrEqual(
        width,
      );
    }),
  );
});

test.each([
  [{ amount: 0.00042, currency: "USD" }, "$0.0004"],
  [{ amount: 0.042, currency: "USD" }, "$0.042"],
  [{ amount: 12.345, currency: "USD" }, "$12.35"],
  [{ amount: 2, currency: "EUR" }, "2.00 EUR"],
])("says a cost of %j", (cost, word) => {
  expect(costWord(cost)).toBe(word);
});
