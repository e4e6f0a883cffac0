import type { PlanEntry } from "@agentao/acp";
import { expect, test } from "vitest";
import { createPaint } from "./paint.ts";
import { planView } from "./plan.ts";

const paint = createPaint(false);
const entry = (content: string, status: PlanEntry["status"]): PlanEntry => ({ content, priority: "medium", status });

test("is a checklist", () => {
  const entries = [entry("read", "completed"), entry("write 日本語 tests", "in_progress"), entry("run", "pending")];
  expect(planView(entries, { width: 16, paint })).toEqual(["Plan 1/3", "✓ read", "▸ write 日本語 …", "○ run"]);
  expect(planView([], { width: 16, paint })).toEqual([]);
});

test("shows what is being done of a long one", () => {
  const entries = Array.from({ length: 20 }, (_, at) =>
    entry(`step ${at}`, at < 10 ? "completed" : at === 10 ? "in_progress" : "pending"),
  );
  const lines = planView(entries, { width: 40, paint });
  expect(lines).toHaveLength(9);
  expect(lines).toContain("▸ step 10");
  expect(lines.at(-1)).toBe("… 13 more");
});
