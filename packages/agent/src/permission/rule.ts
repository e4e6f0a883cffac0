// Lines of policy from a file. What cannot be read is a problem that somebody is shown, never a rule that is not there.

import { isFields } from "../json/fields.ts";
import { literalPattern, type Pattern, parsePattern } from "./pattern.ts";

type Action = "allow" | "deny" | "ask";
export type RuleScope = "user" | "project";

interface DomainList {
  readonly urlArg: string;
  readonly allowlist: readonly string[];
  readonly blocklist: readonly string[];
}

export interface Rule {
  /** Where it comes from and which it is there: `~/.agentao/permissions.json#2`. */
  readonly name: string;
  readonly scope: RuleScope;
  readonly action: Action;
  /** The whole name of the tool. */
  readonly tool: Pattern;
  /** All of them are found in the input of that name. */
  readonly args: readonly { readonly name: string; readonly pattern: Pattern }[];
  /** Takes the place of `args`. */
  readonly domain: DomainList | undefined;
}

export interface RuleProblem {
  readonly source: string;
  /** A sentence for the person who wrote the file. */
  readonly message: string;
  /** A restriction may be missing, so whatever is more than looking must be asked about. */
  readonly loosens: boolean;
}

export interface ParsedRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

export interface RuleSource {
  /** A path or a name, for people. */
  readonly source: string;
  /** A project may only tighten: its allow rules are refused. */
  readonly scope: RuleScope;
}

const MAX_FILE_CHARS = 1_000_000;
const MAX_RULES = 500;
const MAX_ARGS = 20;
const KNOWN_KEYS = ["tool", "args", "domain", "action", "comment", "description"];

/** Reads `{"rules":[{"tool","args","domain","action"}]}`. Never throws. */
export function parseRules(json: string, source: RuleSource): ParsedRules {
  const listed = readList(json);
  if (typeof listed === "string") return { rules: [], problems: [problem(source, listed, { loosens: true })] };
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, value] of listed.entries()) {
    const read = readRule(value, source, index + 1);
    if (read.rule !== undefined) rules.push(read.rule);
    problems.push(...read.problems);
  }
  return { rules, problems };
}

/** The entries, or what is wrong with the file. */
function readList(json: string): readonly unknown[] | string {
  if (json.length > MAX_FILE_CHARS) return "The file is too large.";
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ""));
  } catch {
    return "The file is not valid JSON.";
  }
  if (!isFields(value)) return 'The file is not an object like {"rules": […]}.';
  if (value.rules === undefined) return Object.keys(value).length === 0 ? [] : 'The file has no "rules".';
  if (!Array.isArray(value.rules)) return '"rules" is not a list.';
  if (value.rules.length > MAX_RULES) return `The file has more than ${MAX_RULES} rules.`;
  return value.rules;
}

interface ReadRule {
  readonly rule?: Rule;
  readonly problems: readonly RuleProblem[];
}

function readRule(value: unknown, source: RuleSource, number: number): ReadRule {
  const refuse = (message: string): ReadRule => ({
    problems: [problem(source, `Rule ${number} is ignored: ${message}.`, { loosens: true })],
  });
  if (!isFields(value)) return refuse("it is not an object");
  const stranger = Object.keys(value).find((key) => !KNOWN_KEYS.includes(key) && !/^[_$]/.test(key));
  if (stranger !== undefined) return refuse(`it has a field "${stranger.slice(0, 40)}" that rules do not have`);
  const { tool, args = {}, domain, action } = value;
  if (typeof tool !== "string" || tool === "") return refuse('"tool" is not a text');
  if (!isFields(args)) return refuse('"args" is not an object');
  const entries = Object.entries(args);
  if (entries.length > MAX_ARGS) return refuse(`"args" has more than ${MAX_ARGS} entries`);
  const wrong = entries.find(([, pattern]) => typeof pattern !== "string");
  if (wrong !== undefined) return refuse(`the argument "${wrong[0].slice(0, 40)}" is not a text`);
  const lists = domain === undefined ? undefined : readDomain(domain);
  if (typeof lists === "string") return refuse(lists);

  const problems: RuleProblem[] = [];
  const known = readAction(action);
  if (known === undefined) {
    const message = `Rule ${number} has no action of allow, deny or ask; it asks.`;
    problems.push(problem(source, message, { loosens: false }));
  }
  if (known === "allow" && source.scope === "project") {
    const message = `Rule ${number} is ignored: a project may deny and ask, but not allow.`;
    return { problems: [problem(source, message, { loosens: false })] };
  }
  const pattern = (text: string, scope: "whole" | "search"): Pattern => {
    const parsed = parsePattern(text, scope);
    if (parsed.type === "pattern") return parsed.pattern;
    const message = `Rule ${number}: a pattern is compared letter by letter, because ${parsed.problem}.`;
    problems.push(problem(source, message, { loosens: known !== "allow" }));
    return literalPattern(text);
  };
  const rule: Rule = {
    name: `${source.source}#${number}`,
    scope: source.scope,
    action: known ?? "ask",
    tool: pattern(tool === "*" ? "(?s).*" : tool, "whole"),
    args: entries.map(([name, text]) => ({ name, pattern: pattern(text as string, "search") })),
    domain: lists,
  };
  return { rule, problems };
}

function readAction(action: unknown): Action | undefined {
  const word = typeof action === "string" ? action.trim().toLowerCase() : "";
  return word === "allow" || word === "deny" || word === "ask" ? word : undefined;
}

function readDomain(value: unknown): DomainList | string {
  if (!isFields(value)) return '"domain" is not an object';
  const { url_arg: urlArg = "url", allowlist = [], blocklist = [], ...strange } = value;
  if (Object.keys(strange).length > 0) return '"domain" has a field that domains do not have';
  if (typeof urlArg !== "string") return '"domain.url_arg" is not a text';
  if (!isTexts(allowlist) || !isTexts(blocklist)) return 'the lists of "domain" are not lists of texts';
  return { urlArg, allowlist, blocklist };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function problem({ source }: RuleSource, message: string, { loosens }: { loosens: boolean }): RuleProblem {
  return { source, message, loosens };
}
