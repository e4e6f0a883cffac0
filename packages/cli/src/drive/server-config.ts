// The agents named in `acp.json`: what is written there, and in words what is wrong with it. Pure.

import { type Fields, isFields, isTexts } from "../json/fields.ts";
import { messageOf } from "../text/message-of.ts";

export type PolicyMode = "reject_all" | "accept_all";
export type Lent = "read" | "write" | "terminal";

export interface ServerConfig {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** As written: variables are filled in when the agent is started. */
  readonly env: Readonly<Record<string, string>>;
  /** As written; relative to the project. */
  readonly cwd: string;
  readonly description: string;
  readonly autoStart: boolean;
  readonly startupTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxRecoverableRestarts: number;
  readonly policy: PolicyMode;
  readonly lend: readonly Lent[];
}

export interface ParsedServers {
  readonly servers: readonly ServerConfig[];
  /** In sentences. An agent with a problem is not among the servers. */
  readonly problems: readonly string[];
}

const DEFAULTS = { startupTimeoutMs: 10_000, requestTimeoutMs: 60_000, maxRecoverableRestarts: 3 } as const;
const KNOWN = [
  "command",
  "args",
  "env",
  "cwd",
  "description",
  "capabilities",
  "autoStart",
  "startupTimeoutMs",
  "requestTimeoutMs",
  "maxRecoverableRestarts",
  "nonInteractivePolicy",
  "lend",
];
const LENT: readonly string[] = ["read", "write", "terminal"] satisfies Lent[];

/** `path` is only for the sentences. */
export function parseServers(text: string, path: string): ParsedServers {
  let value: unknown;
  try {
    // Some editors put a mark at the beginning.
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    return { servers: [], problems: [`${path} is not JSON: ${messageOf(cause)}`] };
  }
  const servers = isFields(value) ? value.servers : undefined;
  if (!isFields(servers)) {
    return { servers: [], problems: [`${path} has no "servers". Write { "servers": { "NAME": { "command": … } } }.`] };
  }
  const parsed = Object.entries(servers).map(([name, server]) => parseServer(name, server));
  return {
    servers: parsed.flatMap(({ server }) => server ?? []),
    problems: parsed.flatMap(({ problems }) => problems.map((problem) => `${path}: ${problem}`)),
  };
}

interface ParsedServer {
  readonly server?: ServerConfig | undefined;
  readonly problems: readonly string[];
}

/** Names are parts of file names, and words of command lines. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

function parseServer(name: string, value: unknown): ParsedServer {
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`servers.${name}${problem}`);
  if (!isServerName(name)) say(": a name has at most 64 letters, digits, dots, - and _. Rename it.");
  if (!isFields(value)) {
    say(' is not an object. Write { "command": …, "args": […], "env": {}, "cwd": "." }.');
    return { problems };
  }
  for (const key of Object.keys(value)) {
    if (!KNOWN.includes(key)) say(`.${key} is not known. Remove it, or correct it: ${KNOWN.join(", ")}.`);
  }
  const { command, args = [], env = {}, cwd = ".", description = "", autoStart = true, lend = [] } = value;
  const need = <Value>(isSo: (given: unknown) => given is Value, given: unknown, otherwise: Value, problem: string) => {
    if (isSo(given)) return given;
    say(problem);
    return otherwise;
  };
  const server: ServerConfig = {
    name,
    command: need(isFilled, command, "", '.command is missing. Write the program: "command": "my-agent".'),
    args: need(isTexts, args, [], '.args is not a list of strings. Write "args": ["--acp"].'),
    env: need(isVariables, env, {}, '.env is not an object of strings. Write "env": { "KEY": "$MY_KEY" }.'),
    cwd: need(isFilled, cwd, ".", '.cwd is not a folder. Write "cwd": "." for the project itself.'),
    description: need(isText, description, "", ".description is not a string."),
    autoStart: need(isSwitch, autoStart, true, ".autoStart is not true or false."),
    lend: need(isLoan, lend, [], `.lend is a list of ${LENT.join(", ")}.`),
    policy: parsePolicy(value.nonInteractivePolicy, say),
    ...parseNumbers(value, say),
  };
  return problems.length > 0 ? { problems } : { problems, server };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFilled(value: unknown): value is string {
  return isText(value) && value !== "";
}

function isSwitch(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isVariables(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && isTexts(Object.values(value));
}

function isLoan(value: unknown): value is readonly Lent[] {
  return isTexts(value) && value.every((one) => LENT.includes(one));
}

function parsePolicy(value: unknown, say: (problem: string) => void): PolicyMode {
  if (value === undefined) return "reject_all";
  const mode = isFields(value) ? value.mode : undefined;
  if (mode === "reject_all" || mode === "accept_all") return mode;
  const word = value === "accept_all" ? "accept_all" : "reject_all";
  say(`.nonInteractivePolicy is an object. Write { "mode": "${word}" }; the modes are reject_all and accept_all.`);
  return "reject_all";
}

function parseNumbers(
  value: Fields,
  say: (problem: string) => void,
): { readonly [Name in keyof typeof DEFAULTS]: number } {
  const read = (name: keyof typeof DEFAULTS, min: number): number => {
    const number = value[name] ?? DEFAULTS[name];
    if (Number.isInteger(number) && (number as number) >= min) return number as number;
    say(`.${name} is not a whole number of at least ${min}. Leave it out for ${DEFAULTS[name]}.`);
    return DEFAULTS[name];
  };
  return {
    startupTimeoutMs: read("startupTimeoutMs", 1),
    requestTimeoutMs: read("requestTimeoutMs", 1),
    maxRecoverableRestarts: read("maxRecoverableRestarts", 0),
  };
}

/** `$NAME` and `${NAME}` from the environment. Names that are not set are answered too: nothing is guessed. */
export function expandVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const expanded = text.replace(/\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    const value = env[name];
    if (value === undefined) missing.push(name);
    return value ?? "";
  });
  return { text: expanded, missing };
}
