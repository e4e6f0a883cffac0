// Rules a person writes on the command line or in a run spec, as values. What they match is decided by the runtime for
// our own agent, and by `permission-policy.ts` for any other.

import { isFields, isTexts } from "../json/fields.ts";

export type RuleAction = "allow" | "deny";

export interface PermissionRule {
  readonly action: RuleAction;
  /** Where it stands and what it says, for people: `--deny write_file`. */
  readonly name: string;
  /** The tool as it was written. */
  readonly toolName: string;
  /** Of the whole name. */
  readonly tool: RegExp;
  readonly subject: RuleSubject;
}

export type RuleSubject =
  | { readonly type: "anything" }
  /** The command of a shell tool: one that fits the pattern, or this very line, whatever is in it. */
  | { readonly type: "command"; readonly pattern: RegExp; readonly line: string }
  /** A path, from the working directory or absolute: one that fits the pattern, or this very one. */
  | { readonly type: "path"; readonly pattern: RegExp; readonly path: string }
  | { readonly type: "host"; readonly urlArg: string; readonly hosts: readonly string[] }
  /** Inputs by name, each with a pattern found in it. */
  | { readonly type: "inputs"; readonly inputs: readonly { readonly name: string; readonly pattern: RegExp }[] };

export type ParsedRule =
  | { readonly type: "rule"; readonly rule: PermissionRule }
  | { readonly type: "refused"; readonly problem: string };

const PATH_TOOLS = ["write_file", "replace", "read_file"];

/** Tools and kinds of tools that rules can tell apart by their files. */
export function isPathTool(tool: string): boolean {
  return PATH_TOOLS.includes(tool) || tool === "edit" || tool === "read";
}

/** `TOOL` or `TOOL(WHAT)`; `*` stands for any text. */
export function parsePermissionRule(text: string, action: RuleAction): ParsedRule {
  const [, name = "", what] = /^\s*([\w.*:/-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (name === "")
    return refused(text, "a rule is TOOL or TOOL(WHAT), such as write_file or run_shell_command(npm test)");
  const subject = what === undefined ? ({ type: "anything" } as const) : toSubject(name, what.trim());
  if (typeof subject === "string") return refused(text, subject);
  return {
    type: "rule",
    rule: { action, name: `--${action} ${text.trim()}`, toolName: name, tool: globPattern(name), subject },
  };
}

function toSubject(tool: string, what: string): RuleSubject | string {
  if (what === "") return "there is nothing between the parentheses";
  if (tool === "run_shell_command" || tool === "execute") {
    return { type: "command", pattern: globPattern(what), line: what };
  }
  if (isPathTool(tool)) {
    const path = what.replace(/^\.\//, "");
    return { type: "path", pattern: globPattern(path), path };
  }
  if (tool === "web_fetch" || tool === "fetch") {
    return { type: "host", urlArg: "url", hosts: [what.toLowerCase().replace(/^\*\./, ".")] };
  }
  return `only run_shell_command, ${PATH_TOOLS.join(", ")} and web_fetch can be told apart by (WHAT)`;
}

/** One entry of `permissions` in a run spec: `{tool, args?, domain?{url_arg, allowlist, blocklist}}`. */
export function readSpecRule(value: unknown, action: RuleAction): ParsedRule {
  const text = `permissions.${action} ${JSON.stringify(value)}`;
  if (typeof value === "string") return parsePermissionRule(value, action);
  if (!isFields(value)) return refused(text, "it is not an object");
  const { tool, args = {}, domain, ...strange } = value;
  const stranger = Object.keys(strange)[0];
  if (stranger !== undefined) return refused(text, `it has a field "${stranger}" that rules do not have`);
  if (typeof tool !== "string" || tool === "") return refused(text, '"tool" is not a text');
  const toolPattern = tool === "*" ? /[\s\S]*/ : readPattern(`^(?:${tool})$`);
  if (toolPattern === undefined) return refused(text, '"tool" is no regular expression');
  const subject = domain === undefined ? readInputs(args) : readDomain(domain, action);
  if (typeof subject === "string") return refused(text, subject);
  return { type: "rule", rule: { action, name: text, toolName: tool, tool: toolPattern, subject } };
}

function readInputs(args: unknown): RuleSubject | string {
  if (!isFields(args)) return '"args" is not an object';
  const inputs: { name: string; pattern: RegExp }[] = [];
  for (const [name, source] of Object.entries(args)) {
    const pattern = typeof source === "string" ? readPattern(source) : undefined;
    if (pattern === undefined) return `the argument "${name}" is no regular expression`;
    inputs.push({ name, pattern });
  }
  return inputs.length === 0 ? { type: "anything" } : { type: "inputs", inputs };
}

/** A rule that allows speaks of its allow list, one that denies of both lists. */
function readDomain(domain: unknown, action: RuleAction): RuleSubject | string {
  if (!isFields(domain)) return '"domain" is not an object';
  const { url_arg: urlArg = "url", allowlist = [], blocklist = [], ...strange } = domain;
  if (Object.keys(strange).length > 0) return '"domain" has a field that domains do not have';
  if (typeof urlArg !== "string" || !isTexts(allowlist) || !isTexts(blocklist))
    return '"domain" is not as it should be';
  const hosts =
    action === "allow" ? allowlist.filter((host) => !blocklist.includes(host)) : [...allowlist, ...blocklist];
  return { type: "host", urlArg, hosts: hosts.map((host) => host.toLowerCase()) };
}

function readPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** The whole text, where `*` is any text and everything else itself. */
export function globPattern(glob: string): RegExp {
  const parts = glob.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`);
}

function refused(text: string, problem: string): ParsedRule {
  return { type: "refused", problem: `the rule "${text}" cannot be used: ${problem}` };
}
