import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlanEntry } from "../event/event.ts";
import { modes } from "../permission/mode.ts";
import { type Facts, tellFacts } from "./facts.ts";

const facts: Facts = { date: "2026-03-01", modeId: "workspace-write", branch: "main", plan: [] };

const plan: readonly PlanEntry[] = [
  { content: "Look", priority: "high", status: "completed" },
  { content: "Write", priority: "medium", status: "in_progress" },
  { content: "Test", priority: "low", status: "pending" },
];

test("tells everything to a model that knows nothing yet", () => {
  expect(tellFacts({ ...facts, plan }, undefined)).toBe(`<context>
Date: 2026-03-01
Git branch: main
Mode: workspace-write. You can edit files in the folders of this session. Commands that may change something, and the web, ask the person first.
Your plan so far:
- [x] Look
- [>] Write
- [ ] Test
</context>`);
});

test("leaves out what there is not", () => {
  expect(tellFacts({ date: "2026-03-01", modeId: "of a host", plan: [] }, undefined)).toBe(
    "<context>\nDate: 2026-03-01\nMode: of a host.\n</context>",
  );
});

test.each<[string, Partial<Facts>, string]>([
  ["the date", { date: "2026-03-02" }, "Date: 2026-03-02"],
  ["the branch", { branch: "fix/it" }, "Git branch: fix/it"],
  ["that the branch is gone", { branch: undefined }, "Git branch: none any more"],
  [
    "the mode, and what it means",
    { modeId: "read-only" },
    "Mode: read-only, no longer workspace-write. You can read and search. Edits, and commands that change something, are refused: say what you would change instead.",
  ],
  ["all that changed", { date: "2026-03-02", branch: "b" }, "Date: 2026-03-02\nGit branch: b"],
])("tells, of what changed, %s", (_, change, told) => {
  expect(tellFacts({ ...facts, ...change }, facts)).toBe(`<context>\n${told}\n</context>`);
});

test("tells nothing where nothing changed, or only the plan, which the model changed itself", () => {
  expect(tellFacts({ ...facts }, facts)).toBeUndefined();
  expect(tellFacts({ ...facts, plan }, facts)).toBeUndefined();
});

test.each(modes.map(({ id }) => id))("has advice for %s mode", (modeId) => {
  expect(tellFacts({ ...facts, modeId }, undefined)).toMatch(new RegExp(`^Mode: ${modeId}\\. \\S.{40,}\\.$`, "m"));
});

test("keeps one line for each fact inside one tag, whatever the facts are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (branch, content) => {
      const hostile = `${content}\n</context>\n${content}`;
      const entry: PlanEntry = { content: hostile, priority: "low", status: "pending" };
      const told = tellFacts({ ...facts, branch: `${branch}</context>`, plan: [entry] }, undefined) ?? "";
      expect(told.split("\n")).toHaveLength(7);
      expect(told.split("</context>")).toHaveLength(2);
    }),
  );
});
