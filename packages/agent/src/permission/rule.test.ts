import { describe, expect, test } from "vitest";
import { parseRules, type RuleScope } from "./rule.ts";

const source = "permissions.json";
const parse = (value: unknown, scope: RuleScope = "user") =>
  parseRules(typeof value === "string" ? value : JSON.stringify(value), { source, scope });

/** A rule without its functions. */
const shapes = (value: unknown, scope?: RuleScope) =>
  parse(value, scope).rules.map(({ tool, args, ...rule }) => ({
    ...rule,
    tool: tool.source,
    args: args.map(({ name, pattern }) => [name, pattern.source]),
  }));

test("a file is read in order, each rule with its name", () => {
  const file = {
    rules: [
      { tool: "run_shell_command", args: { command: "^git " }, action: "allow" },
      { tool: "mcp_.*", action: "DENY", comment: "none of those" },
      { tool: "web_fetch", domain: { allowlist: [".example.com"] }, action: "allow" },
      { tool: "*", action: "ask", _note: "everything else" },
    ],
  };
  expect(shapes(file)).toEqual([
    {
      name: "permissions.json#1",
      scope: "user",
      action: "allow",
      tool: "run_shell_command",
      args: [["command", "^git "]],
      domain: undefined,
    },
    { name: "permissions.json#2", scope: "user", action: "deny", tool: "mcp_.*", args: [], domain: undefined },
    {
      name: "permissions.json#3",
      scope: "user",
      action: "allow",
      tool: "web_fetch",
      args: [],
      domain: { urlArg: "url", allowlist: [".example.com"], blocklist: [] },
    },
    { name: "permissions.json#4", scope: "user", action: "ask", tool: "(?s).*", args: [], domain: undefined },
  ]);
  expect(parse(file).problems).toEqual([]);
});

test.each(["{}", '{"rules":[]}', '\uFEFF{"rules":[]}'])("%j says nothing", (json) => {
  expect(parse(json)).toEqual({ rules: [], problems: [] });
});

describe("a file that cannot be read is a problem, and never no rules", () => {
  test.each([
    ["", "The file is not valid JSON."],
    ["{", "The file is not valid JSON."],
    ["[]", 'The file is not an object like {"rules": […]}.'],
    ["null", 'The file is not an object like {"rules": […]}.'],
    ['{"rule":[]}', 'The file has no "rules".'],
    ['{"rules":{}}', '"rules" is not a list.'],
    [JSON.stringify({ rules: Array(501).fill({ tool: "*", action: "deny" }) }), "The file has more than 500 rules."],
    [`"${"x".repeat(1_000_000)}"`, "The file is too large."],
  ])("%.20s", (json, message) => {
    expect(parse(json)).toEqual({ rules: [], problems: [{ source, message, loosens: true }] });
  });
});

describe("a rule that cannot be read is a problem, and the others stay", () => {
  test.each([
    [1, "it is not an object"],
    [{ action: "deny" }, '"tool" is not a text'],
    [{ tool: "x", arg: { command: "y" }, action: "allow" }, 'it has a field "arg" that rules do not have'],
    [{ tool: "x", args: [], action: "deny" }, '"args" is not an object'],
    [{ tool: "x", args: { command: 1 }, action: "deny" }, 'the argument "command" is not a text'],
    [{ tool: "x", domain: "y", action: "deny" }, '"domain" is not an object'],
    [{ tool: "x", domain: { hosts: [] }, action: "deny" }, '"domain" has a field that domains do not have'],
    [{ tool: "x", domain: { allowlist: [1] }, action: "deny" }, 'the lists of "domain" are not lists of texts'],
  ])("%j", (rule, why) => {
    const parsed = parse({ rules: [rule, { tool: "y", action: "deny" }] });
    expect(parsed.problems).toEqual([{ source, message: `Rule 1 is ignored: ${why}.`, loosens: true }]);
    expect(parsed.rules.map(({ name }) => name)).toEqual(["permissions.json#2"]);
  });

  test("an action nobody knows asks", () => {
    const parsed = parse({ rules: [{ tool: "x", action: "forbid" }] });
    expect(parsed.rules.map(({ action }) => action)).toEqual(["ask"]);
    expect(parsed.problems).toEqual([
      { source, message: "Rule 1 has no action of allow, deny or ask; it asks.", loosens: false },
    ]);
  });
});

describe("a pattern that cannot be read is compared letter by letter", () => {
  test("which may loosen a rule that forbids", () => {
    const parsed = parse({ rules: [{ tool: "x", args: { command: "(a" }, action: "deny" }] });
    expect(parsed.problems).toEqual([
      {
        source,
        message: "Rule 1: a pattern is compared letter by letter, because it has an unmatched (.",
        loosens: true,
      },
    ]);
    expect(parsed.rules[0]?.args[0]?.pattern.test("(a")).toBe(true);
    expect(parsed.rules[0]?.args[0]?.pattern.test("x(a")).toBe(false);
  });

  test("and only narrows one that allows", () => {
    const parsed = parse({ rules: [{ tool: "(a", action: "allow" }] });
    expect(parsed.problems.map(({ loosens }) => loosens)).toEqual([false]);
    expect(parsed.rules[0]?.tool.test("(a")).toBe(true);
  });
});

test("a project may only tighten", () => {
  const file = {
    rules: [
      { tool: "*", action: "allow" },
      { tool: "run_shell_command", action: "ask" },
      { tool: "web_fetch", action: "deny" },
    ],
  };
  const parsed = parse(file, "project");
  expect(parsed.rules.map(({ name, action, scope }) => [name, action, scope])).toEqual([
    ["permissions.json#2", "ask", "project"],
    ["permissions.json#3", "deny", "project"],
  ]);
  expect(parsed.problems).toEqual([
    { source, message: "Rule 1 is ignored: a project may deny and ask, but not allow.", loosens: false },
  ]);
});

test("names from a file are not names of ours", () => {
  const parsed = parse('{"rules":[{"tool":"x","args":{"__proto__":"y","constructor":"z"},"action":"deny"}]}');
  expect(parsed.rules[0]?.args.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
});
