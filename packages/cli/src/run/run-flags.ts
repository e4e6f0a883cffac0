// What was asked for on the command line of `agentao run`, as it was written. Pure.

import { parseArgs } from "node:util";
import { type Lent, lendable } from "../front/loan.ts";
import { parsePermissionRule, type RuleAction } from "../front/permission-rule.ts";
import { UsageError } from "../manual/usage-error.ts";
import { didYouMean } from "../text/nearest.ts";
import { quoteWord } from "../text/split-words.ts";
import { parseDuration } from "./duration.ts";
import { isFormat } from "./format.ts";
import { isHttpUrl } from "./http-url.ts";
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
  if (values.replay && values["no-replay"]) throw new UsageError("--replay and --no-replay exclude each other");
  const policy = values["interaction-policy"];
  if (policy !== undefined && policy !== "reject") throw new UsageError("--interaction-policy can only be reject");
  const turns = readEither(values, "max-turns", "max-iterations");
  const mode = readEither(values, "mode", "permission-mode");
  const { format, timeout } = values;
  if (format !== undefined && !isFormat(format)) throw new UsageError("--format is text, json or stream-json");
  return {
    isHelp: values.help ?? false,
    isVerbose: values.verbose ?? false,
    specFile: readText("--spec", values.spec),
    params: (values.param ?? []).map(readParam),
    prompt: values.prompt ?? (words === "" ? undefined : words),
    format,
    model: readText("--model", values.model),
    baseUrl: values["base-url"] === undefined ? undefined : readUrl(values["base-url"]),
    mode: readText("--mode", mode),
    cwd: readText("--cwd", values.cwd),
    session: values.continue ? { type: "newest" } : readStored(readText("--resume", values.resume)),
    maxSteps: turns === undefined ? undefined : readWhole("--max-turns", turns),
    maxCost: values["max-cost"] === undefined ? undefined : readAmount("--max-cost", values["max-cost"]),
    timeoutMs: timeout === undefined ? undefined : readDuration("--timeout", timeout),
    rules: [...readRules(values.deny, "deny"), ...readRules(values.allow, "allow")],
    agent: readText("--agent", values.agent),
    lends: values.lend === undefined ? undefined : readLends(values.lend),
    skills: values.skill ?? [],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError(toProblem(cause as NodeJS.ErrnoException, args));
  }
}

function toProblem({ code, message }: NodeJS.ErrnoException, args: readonly string[]): string {
  const [, option = ""] = /^(?:Unknown option|Option) '(?:-\w, )?(.+?)(?: <value>)?'/s.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && option !== "") return unknownProblem(option, args);
  const [first = message] = message.split("\n");
  if (first.endsWith("argument missing")) return `${option} needs a value`;
  if (!first.endsWith("argument is ambiguous.")) return `${option}${first.replace(/^Option '.+?'/, "")}`;
  const value = args[args.indexOf(option) + 1] ?? "";
  const name = LONG_NAMES[option] ?? option;
  return `${name} needs a value; one that begins with a dash is written ${quoteWord(`${name}=${value}`)}`;
}

const LONG_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OPTIONS).flatMap(([name, option]) => ("short" in option ? [[`-${option.short}`, `--${name}`]] : [])),
);

/** What has blanks in it was meant to be said, not to be obeyed. */
function unknownProblem(option: string, args: readonly string[]): string {
  const words = args.find((arg) => arg.startsWith(option) && /\s/.test(arg));
  if (words !== undefined) {
    const [line = "", more] = words.split("\n", 2);
    const shown = more === undefined && line.length <= 60 ? quoteWord(line) : "PROMPT";
    return `a prompt that begins with a dash goes behind --, after all options: agentao run -- ${shown}`;
  }
  const known = Object.keys(OPTIONS).map((name) => `--${name}`);
  return `unknown option "${option}"${didYouMean(option, known)}`;
}

/** Two spellings of one option. */
function readEither<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  one: Name,
  other: Name,
): string | undefined {
  const [first, second] = [values[one], values[other]];
  if (first !== undefined && second !== undefined && first !== second)
    throw new UsageError(`--${one} and --${other} are the same option, and say different things`);
  return first ?? second;
}

function readStored(id: string | undefined): Wishes["session"] {
  return id === undefined ? undefined : { type: "stored", id };
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

function readText(flag: string, text: string | undefined): string | undefined {
  if (text?.trim() === "") throw new UsageError(`${flag} is empty`);
  return text?.trim();
}

function readUrl(text: string): string {
  if (!isHttpUrl(text)) throw new UsageError("--base-url is an http or https address");
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

function readDuration(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new UsageError(`${flag} is a time such as 90, 90s, 10m or 1h, up to 24 days`);
  return ms;
}
