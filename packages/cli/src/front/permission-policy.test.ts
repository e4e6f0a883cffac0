import { expect, test } from "vitest";
import { createPolicy } from "./permission-policy.ts";
import { parsePermissionRule, type RuleAction } from "./permission-rule.ts";

/** What another agent is answered that wants to edit a file. */
function answer(path: string, ...written: readonly (readonly [RuleAction, string])[]): string {
  const rules = written.map(([action, text]) => {
    const parsed = parsePermissionRule(text, action);
    if (parsed.type === "refused") throw new Error(parsed.problem);
    return parsed.rule;
  });
  const policy = createPolicy({ rules, cwd: "/w/project", onRefusal: () => {} });
  const { outcome } = policy({
    sessionId: "s",
    toolCall: { toolCallId: "c", kind: "edit", locations: [{ path }] },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  });
  return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
}

test.each([
  ["*.md", "/w/project/a.md", "yes"],
  ["*.md", "/w/project/deep/a.md", "yes"],
  ["*.md", "/etc/a.md", "no"],
  ["*.md", "/w/project/../other/a.md", "no"],
  ["*", "/w/project-two/a.md", "no"],
  ["src/*", "/w/project/src/../../a.md", "no"],
  ["../*", "/w/other/a.md", "yes"],
  ["../*", "/etc/a.md", "no"],
  ["/etc/*", "/etc/a.md", "yes"],
  ["/*", "/etc/a.md", "yes"],
])("an allowed edit(%s) of %s: %s", (glob, path, answered) => {
  expect(answer(path, ["allow", `edit(${glob})`])).toBe(answered);
});

test("what is denied is denied wherever it is", () => {
  expect(answer("/etc/a.env", ["allow", "edit"], ["deny", "edit(*.env)"])).toBe("no");
});
