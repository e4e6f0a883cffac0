// Rules of a run as rules of our runtime, where they are looked at with everything else that decides: a deny wins over
// every mode, and an allow must cover each part of a command.

import { relative, resolve } from "node:path";
import type { Config } from "@agentao/agent";
import { globPattern, type PermissionRule } from "./permission-rule.ts";

type Rule = NonNullable<Config["rules"]>[number];

/** Models call inputs by other names, too. What forbids has to know all of them; what allows looks at the real one. */
const COMMAND_NAMES = ["command", "cmd", "script"];
const PATH_NAMES = ["file_path", "path", "file", "filename"];

export function toRuntimeRules(rules: readonly PermissionRule[], cwd: string): readonly Rule[] {
  return rules.flatMap((rule) => toRules(rule, cwd));
}

function toRules(rule: PermissionRule, cwd: string): readonly Rule[] {
  const { action, name, subject } = rule;
  const base: Rule = {
    name,
    scope: "user",
    action,
    tool: toPattern(rule.tool),
    args: [],
    domain: undefined,
  };
  const named = (names: readonly string[], pattern: Rule["tool"]): readonly Rule[] =>
    (action === "allow" ? names.slice(0, 1) : names).map((name) => ({ ...base, args: [{ name, pattern }] }));
  switch (subject.type) {
    case "anything":
      return [base];
    case "command":
      return named(COMMAND_NAMES, toPattern(subject.pattern));
    case "path":
      return named(PATH_NAMES, {
        source: subject.pattern.source,
        test: (path) => (action === "allow" ? isAllowed(path, subject.path, cwd) : isPath(path, subject.pattern, cwd)),
      });
    case "host": {
      const { urlArg, hosts } = subject;
      return [{ ...base, domain: { urlArg, allowlist: hosts, blocklist: [] } }];
    }
    case "inputs":
      return spellings(subject.inputs, action).map((inputs) => ({
        ...base,
        args: inputs.map(({ name, pattern }) => ({ name, pattern: toPattern(pattern) })),
      }));
  }
}

type Inputs = Extract<PermissionRule["subject"], { type: "inputs" }>["inputs"];

/** The same inputs by all names they may have, where that matters. */
function spellings(inputs: Inputs, action: PermissionRule["action"]): readonly Inputs[] {
  if (action === "allow") return [inputs];
  return inputs.reduce<readonly Inputs[]>(
    (lists, input) => lists.flatMap((list) => namesOf(input.name).map((name) => [...list, { ...input, name }])),
    [[]],
  );
}

function namesOf(name: string): readonly string[] {
  return [COMMAND_NAMES, PATH_NAMES].find(([real]) => real === name) ?? [name];
}

/** By where it leads. A glob by a relative path is about what is below the working directory. */
export function isAllowed(path: string, glob: string, cwd: string): boolean {
  return globPattern(resolve(cwd, glob)).test(resolve(cwd, path));
}

/** By where it leads, from the working directory or from the root. */
export function isPath(path: string, pattern: RegExp, cwd: string): boolean {
  return pattern.test(toRelative(path, cwd)) || pattern.test(resolve(cwd, path));
}

/** Where it leads, from the working directory; what leads out of it begins with `..` or `/`. */
export function toRelative(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path));
}

function toPattern(pattern: RegExp): Rule["tool"] {
  return { source: pattern.source, test: (text) => pattern.test(text) };
}
