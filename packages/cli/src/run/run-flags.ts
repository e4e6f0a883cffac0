// What was asked for on the command line of `agentao run`, as it was written. Pure.

import { parseArgs } from "node:util";
import { UsageError } from "../command/command.ts";
import { type Lent, lendable } from "../front/loan.ts";
import { parsePermissionRule, type RuleAction } from "../front/permission-rule.ts";
import { nearest } from "../nearest.ts";
import { isFormat } from "./format.ts";
import type { Wishes } from "./wishes.ts";

const OPTIONS = {
  prompt: { type: "string" },
  spec: { type: "string" },
  param: { type: "string", multiple: true },
  format: { type: "string" },
  model: { type: "string", short: "m" },
  "base-url": { type: "string" },
  mode: { type: "string" },
  "permission-mode": { type: "string" },
  "interaction-policy": { type: "string" },
  cwd: { type: "string", short: "C" },
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r" },
  "max-turns": { type: "string" },
  "max-iterations": { type: "string" },
  "max-cost": { type: "string" },
  timeout: { type: "string" },
  allow: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
  agent: { type: "string" },
  lend: { type: "string", multiple: true },
  skill: { type: "string", multiple: true },
  replay: { type: "boolean" },
  "no-replay": { type: "boolean" },
  verbose: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export interface RunFlags extends Wishes {
  readonly isHelp: boolean;
  readonly isVerbose: boolean;
  /** A file, or `-` for standard input. */
  readonly specFile?: string | undefined;
  /** Only of the command line: a spec of somebody else lends nothing. */
  readonly lends?: readonly Lent[] | undefined;
  readonly params: readonly (readonly [name: string, value: string])[];
}

/** Throws `UsageError`. */
export function parseRunFlags(args: readonly string[]): RunFlags {
  const { values, positionals } = parse(args);
  const words = positionals.join(" ").trim();
  if (values.prompt !== undefined && words !== "")
    throw new UsageError("the prompt is given twice: --prompt and words");
  if (values.continue && values.resume !== undefined)
    throw new UsageError("--continue and --resume exclude each other");
  const policy = values["interaction-policy"];
  if (policy !== undefined && policy !== "reject") throw new UsageError("--interaction-policy can only be reject");
  const turns = values["max-turns"] ?? values["max-iterations"];
  const { format } = values;
  if (format !== undefined && !isFormat(format)) throw new UsageError("--format is text, json or stream-json");
  return {
    isHelp: values.help ?? false,
    isVerbose: values.verbose ?? false,
    specFile: values.spec,
    params: (values.param ?? []).map(readParam),
    prompt: values.prompt ?? (words === "" ? undefined : words),
    format,
    model: values.model,
    baseUrl: values["base-url"] === undefined ? undefined : readUrl(values["base-url"]),
    mode: values.mode ?? values["permission-mode"],
    cwd: values.cwd,
    session: values.continue
      ? { type: "newest" }
      : values.resume === undefined
        ? undefined
        : { type: "stored", id: readText("--resume", values.resume) },
    maxSteps: turns === undefined ? undefined : readWhole("--max-turns", turns),
    maxCost: values["max-cost"] === undefined ? undefined : readAmount("--max-cost", values["max-cost"]),
    timeoutMs: values.timeout === undefined ? undefined : readDuration("--timeout", values.timeout),
    rules: [...readRules(values.deny, "deny"), ...readRules(values.allow, "allow")],
    agent: values.agent === undefined ? undefined : readText("--agent", values.agent),
    lends: values.lend === undefined ? undefined : readLends(values.lend),
    skills: values.skill ?? [],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError(toProblem(cause as NodeJS.ErrnoException));
  }
}

function toProblem({ code, message }: NodeJS.ErrnoException): string {
  const [, option] = /Unknown option '(.+?)'/.exec(message) ?? [];
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || option === undefined) {
    const [first = message] = message.split("\n");
    return first.replace(/^Option '(-\w, )?(--[\w-]+)( <value>)?'/, "$2").replace(/\.$/, "");
  }
  const close = nearest(
    option,
    Object.keys(OPTIONS).map((name) => `--${name}`),
  );
  return `unknown option "${option}"${close === undefined ? "" : `; did you mean ${close}?`}`;
}

function readRules(texts: readonly string[] = [], action: RuleAction) {
  return texts.map((text) => {
    const parsed = parsePermissionRule(text, action);
    if (parsed.type === "refused") throw new UsageError(parsed.problem);
    return parsed.rule;
  });
}

function readLends(texts: readonly string[]): readonly Lent[] {
  const words = texts.flatMap((text) => text.split(",")).map((word) => word.trim());
  return words.map((word) => {
    const lent = lendable.find((one) => one === word);
    if (lent === undefined) throw new UsageError("--lend is write, terminal or write,terminal");
    return lent;
  });
}

function readParam(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new UsageError(`--param is NAME=VALUE, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readText(flag: string, text: string): string {
  if (text.trim() === "") throw new UsageError(`${flag} is empty`);
  return text.trim();
}

function readUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError("--base-url is an http or https address");
  return text;
}

function readWhole(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${flag} is a whole number from 1`);
  return Number(text);
}

function readAmount(flag: string, text: string): number {
  const amount = Number(text.replace(/^\$/, ""));
  if (!/\d/.test(text) || !(amount > 0) || !Number.isFinite(amount)) {
    throw new UsageError(`${flag} is an amount in US dollars above 0, such as 0.50`);
  }
  return amount;
}

const UNITS: Readonly<Record<string, number>> = { "": 1_000, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Timers cannot wait for longer. */
const MAX_MS = 2 ** 31 - 1;

function readDuration(flag: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? 0));
  if (number === "" || ms <= 0 || ms > MAX_MS) {
    throw new UsageError(`${flag} is a time such as 90, 90s, 10m or 1h`);
  }
  return ms;
}
