import { describe, expect, test } from "vitest";
import { createPolicy } from "./permission-policy.ts";
import { type PermissionRule, parsePermissionRule, readSpecRule } from "./permission-rule.ts";
import { toRuntimeRules } from "./runtime-rule.ts";

const rule = (text: string, action: "allow" | "deny" = "allow"): PermissionRule => {
  const parsed = parsePermissionRule(text, action);
  if (parsed.type === "refused") throw new Error(parsed.problem);
  return parsed.rule;
};

describe("a written rule", () => {
  test.each<[string, object]>([
    ["write_file", { tool: /^write_file$/, subject: { type: "anything" } }],
    [" mcp_github_* ", { tool: /^mcp_github_[\s\S]*$/, subject: { type: "anything" } }],
    [
      "run_shell_command(npm test)",
      { tool: /^run_shell_command$/, subject: { type: "command", pattern: /^npm test$/, line: "npm test" } },
    ],
    ["run_shell_command(a.b *)", { subject: { type: "command", pattern: /^a\.b [\s\S]*$/, line: "a.b *" } }],
    ["write_file(./src/*)", { subject: { type: "path", pattern: /^src\/[\s\S]*$/ } }],
    ["web_fetch(*.Python.org)", { subject: { type: "host", urlArg: "url", hosts: [".python.org"] } }],
  ])("%s", (text, expected) => {
    expect(rule(text)).toMatchObject({ action: "allow", name: `--allow ${text.trim()}`, ...expected });
  });

  test.each([
    ["", "a rule is TOOL or TOOL(WHAT)"],
    ["two words", "a rule is TOOL or TOOL(WHAT)"],
    ["run_shell_command(", "a rule is TOOL or TOOL(WHAT)"],
    ["run_shell_command()", "there is nothing between the parentheses"],
    ["ask_user(x)", "can be told apart by (WHAT)"],
  ])("%j is refused", (text, problem) => {
    expect(parsePermissionRule(text, "deny")).toEqual({ type: "refused", problem: expect.stringContaining(problem) });
  });
});

describe("a rule of a spec", () => {
  test.each<[unknown, object]>([
    [{ tool: "*" }, { subject: { type: "anything" } }],
    [
      { tool: "a|b", args: { x: "^1" } },
      { tool: /^(?:a|b)$/, subject: { type: "inputs" } },
    ],
    [{ tool: "f", domain: { allowlist: ["A.b"], blocklist: ["c.d"] } }, { subject: { hosts: ["a.b"] } }],
    ["write_file(x)", { subject: { type: "path" } }],
  ])("%j", (value, expected) => {
    expect(readSpecRule(value, "allow")).toMatchObject({ type: "rule", rule: expected });
  });

  test.each<[unknown, string]>([
    [1, "it is not an object"],
    [{ tool: "" }, '"tool" is not a text'],
    [{ tool: "a", action: "allow" }, 'it has a field "action" that rules do not have'],
    [{ tool: "a", args: { b: "[" } }, 'the argument "b" is no regular expression'],
    [{ tool: "a", domain: { hosts: [] } }, '"domain" has a field that domains do not have'],
  ])("%j is refused", (value, problem) => {
    expect(readSpecRule(value, "deny")).toEqual({ type: "refused", problem: expect.stringContaining(problem) });
  });
});

describe("for our own runtime", () => {
  const names = (action: "allow" | "deny", text: string) =>
    toRuntimeRules([rule(text, action)], "/w").map(({ args, domain, action }) => ({
      action,
      args: args.map(({ name }) => name),
      domain,
    }));

  test("an allow looks at the input by its own name, a deny at every name models use", () => {
    expect(names("allow", "run_shell_command(x)")).toEqual([{ action: "allow", args: ["command"], domain: undefined }]);
    expect(names("deny", "run_shell_command(x)").map(({ args }) => args)).toEqual([["command"], ["cmd"], ["script"]]);
    expect(names("deny", "write_file(x)").map(({ args }) => args)).toEqual([
      ["file_path"],
      ["path"],
      ["file"],
      ["filename"],
    ]);
  });

  test("a deny of a spec knows them, too", () => {
    const parsed = readSpecRule({ tool: "x", args: { command: "a", other: "b" } }, "deny");
    const rules = parsed.type === "rule" ? toRuntimeRules([parsed.rule], "/w") : [];
    expect(rules.map(({ args }) => args.map(({ name }) => name))).toEqual([
      ["command", "other"],
      ["cmd", "other"],
      ["script", "other"],
    ]);
  });

  test("a host is listed", () => {
    expect(names("allow", "web_fetch(a.b)")).toEqual([
      { action: "allow", args: [], domain: { urlArg: "url", allowlist: ["a.b"], blocklist: [] } },
    ]);
  });

  test.each<[string, boolean]>([
    ["src/a.ts", true],
    ["/w/src/a.ts", true],
    ["./src/../src/a.ts", true],
    ["src/../a.ts", false],
    ["/etc/src/a.ts", false],
  ])("the path %s is below src: %s", (path, isBelow) => {
    const [first] = toRuntimeRules([rule("write_file(src/*)")], "/w");
    expect(first?.args[0]?.pattern.test(path)).toBe(isBelow);
  });
});

describe("for another agent", () => {
  const options = [
    { optionId: "a", kind: "allow_always", name: "" },
    { optionId: "b", kind: "allow_once", name: "" },
    { optionId: "c", kind: "reject_once", name: "" },
  ] as const;
  const answer = (rules: readonly PermissionRule[], call: object) => {
    const refused: (string | undefined)[] = [];
    const policy = createPolicy({ rules, cwd: "/w", onRefusal: (_, by) => refused.push(by?.name) });
    const { outcome } = policy({ sessionId: "s", toolCall: { toolCallId: "1", ...call }, options });
    return { chosen: outcome.outcome === "selected" ? outcome.optionId : undefined, refused };
  };
  const command = (text: string) => ({ kind: "execute", title: "npm test", rawInput: { command: text } });

  test.each<[string, object, boolean]>([
    ["execute", command("anything; at all"), true],
    ["execute(npm test)", command("npm test"), true],
    ["execute(npm test)", command("npm test; rm x"), false],
    ["execute(npm *)", command("npm run build"), true],
    ["execute(npm *)", command("npm run build; rm x"), false],
    ["execute(npm *)", command("npm run $(rm x)"), false],
    ["execute(npm *)", { kind: "execute", title: "npm test" }, false],
    ["edit(src/*)", { kind: "edit", locations: [{ path: "/w/src/a" }] }, true],
    ["edit(src/*)", { kind: "edit", locations: [{ path: "/w/src/a" }, { path: "/w/b" }] }, false],
    ["edit(src/*)", { kind: "edit" }, false],
    ["web_fetch(.a.b)", { name: "web_fetch", rawInput: { url: "https://x.a.b/y" } }, true],
    ["web_fetch(a.b)", { name: "web_fetch", rawInput: { url: "https://a.b.evil/y" } }, false],
    ["Bash", { name: "Bash", kind: "execute" }, true],
    ["Bash", { title: "Bash", kind: "execute" }, false],
  ])("--allow %s answers %j with yes: %s", (text, call, isAllowed) => {
    expect(answer([rule(text)], call)).toEqual({
      chosen: isAllowed ? "b" : "c",
      refused: isAllowed ? [] : [undefined],
    });
  });

  test.each<[string, object]>([
    ["execute(rm *)", command("ls; rm x")],
    ["execute(rm *)", { kind: "execute" }],
    ["edit(src/*)", { kind: "edit", locations: [{ path: "/w/b" }, { path: "/w/src/a" }] }],
    ["edit(src/*)", { kind: "edit" }],
  ])("--deny %s wins over an allow for %j", (text, call) => {
    expect(answer([rule("*"), rule(text, "deny")], call)).toEqual({ chosen: "c", refused: [`--deny ${text}`] });
  });

  test("where nothing can be rejected, the question is cancelled", () => {
    const policy = createPolicy({ rules: [], cwd: "/w", onRefusal: () => {} });
    expect(policy({ sessionId: "s", toolCall: { toolCallId: "1" }, options: [] })).toEqual({
      outcome: { outcome: "cancelled" },
    });
  });
});
