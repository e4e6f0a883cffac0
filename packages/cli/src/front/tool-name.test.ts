import { expect, test } from "vitest";
import { builtinTools } from "../../../agent/src/tool/builtin/index.ts";
import { type ParsedRule, parsePermissionRule, readSpecRule } from "./permission-rule.ts";
import { findStranger } from "./tool-name.ts";

const strangerIn = (parsed: ParsedRule): string | undefined =>
  findStranger(parsed.type === "rule" ? [parsed.rule] : []);

test.each([...builtinTools.map(({ name }) => name), "web_search", "mcp_github_*", "*", "agent_reviewer", "my_own"])(
  "a rule about %s is believed",
  (name) => {
    expect(strangerIn(parsePermissionRule(name, "deny"))).toBeUndefined();
  },
);

test.each<[string, string]>([
  ["wite_file", '--deny wite_file: there is no tool "wite_file"; did you mean write_file?'],
  ["run_shell_comand", '--deny run_shell_comand: there is no tool "run_shell_comand"; did you mean run_shell_command?'],
  ["execute", '--deny execute: "execute" is a kind of tool, which only --agent knows; name the tool'],
])("a rule about %s is not", (name, problem) => {
  expect(strangerIn(parsePermissionRule(name, "deny"))).toBe(problem);
});

test("a pattern of a spec is looked at by what it matches", () => {
  expect(strangerIn(readSpecRule({ tool: "run_.*" }, "deny"))).toBeUndefined();
  expect(strangerIn(readSpecRule({ tool: "web_fetsh" }, "deny"))).toContain("did you mean web_fetch?");
});
