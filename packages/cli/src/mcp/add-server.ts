// The words behind `agentao mcp add`, to an entry of `mcp.json`. Pure. Options may come again, and everything behind `--`
// is the command of the server.

import type { Option } from "../manual/command.ts";
import { UsageError } from "../manual/usage-error.ts";
import { didYouMean } from "../text/nearest.ts";

export interface Addition {
  readonly name: string;
  readonly scope: "user" | "project";
  /** As it is written. */
  readonly entry: Readonly<Record<string, unknown>>;
}

const TRANSPORTS = ["stdio", "http", "sse"];
export const SCOPES = ["user", "project"];
/** Names become parts of tools' names, and words of a shell. */
export const SERVER_NAME = /^[\w.-]+$/;

export const addOptions: readonly Option[] = [
  {
    name: "--scope",
    short: "-s",
    value: "SCOPE",
    choices: SCOPES,
    summary: "Whose file: yours, for every project, or that of this project. Yours where nothing is said.",
  },
  {
    name: "--transport",
    short: "-t",
    value: "TRANSPORT",
    choices: TRANSPORTS,
    summary: "How it is spoken to. http for an address, stdio for a command, where nothing is said.",
  },
  {
    name: "--env",
    short: "-e",
    value: "NAME=VALUE",
    summary: "A variable of its command. May come again. VALUE may be '$OTHER', which is looked up at each start.",
  },
  {
    name: "--header",
    short: "-H",
    value: "NAME:VALUE",
    summary: "A header of each request. May come again. VALUE may have '$OTHER' in it.",
  },
  {
    name: "--cwd",
    value: "DIR",
    summary: "Where its command is started. The folder of the session where nothing is said.",
  },
  { name: "--timeout", value: "SECONDS", summary: "How long it may take to start. 60 where nothing is said." },
  { name: "--trust", summary: "Believe it where it says that a tool only reads. Only in your own file." },
];

/** Throws `UsageError`. Values are not repeated in it: they may be secrets. */
export function parseAddition(args: readonly string[]): Addition {
  const end = args.indexOf("--");
  const { options, operands } = readWords(end < 0 ? args : args.slice(0, end));
  const command = end < 0 ? [] : args.slice(end + 1);
  const [name, url, strange] = operands;
  if (name === undefined) throw new UsageError("the NAME of the server is missing");
  if (!SERVER_NAME.test(name)) {
    throw new UsageError("the NAME of a server is made of letters, digits, dots, dashes and underscores");
  }
  if (strange !== undefined || (url !== undefined && end >= 0)) {
    throw new UsageError(`unexpected argument "${strange ?? url}"; put -- before a command`);
  }
  const scope = last(options, "--scope") === "project" ? "project" : "user";
  if (scope === "project" && options.has("--trust")) throw new UsageError("--trust is for --scope user only");
  const entry = {
    ...(end >= 0 ? ofCommand(command, options) : ofUrl(url, options)),
    ...timeoutOf(last(options, "--timeout")),
    ...(options.has("--trust") && { trust: true }),
  };
  return { name, scope, entry };
}

type Given = ReadonlyMap<string, readonly string[]>;

function ofCommand([command, ...args]: readonly string[], options: Given): Record<string, unknown> {
  if (command === undefined || command === "") throw new UsageError("the COMMAND behind -- is missing");
  if ((last(options, "--transport") ?? "stdio") !== "stdio") throw new UsageError("a command is spoken to over stdio");
  refuse(options, "--header", "a command takes --env, not --header");
  const cwd = last(options, "--cwd");
  return {
    command,
    ...(args.length > 0 && { args }),
    ...pairsOf(options, "--env", "env", /^([^=\s]+)=(.*)$/s),
    ...(cwd !== undefined && { cwd }),
  };
}

function ofUrl(url: string | undefined, options: Given): Record<string, unknown> {
  if (url === undefined) throw new UsageError("an address, or -- and a COMMAND, is missing");
  if (!/^https?:\/\//i.test(url))
    throw new UsageError("the address begins with http:// or https://; put -- before a command");
  const type = last(options, "--transport") ?? "http";
  if (type === "stdio") throw new UsageError("an address is spoken to over http or sse; put -- before a command");
  refuse(options, "--env", "an address takes --header, not --env");
  refuse(options, "--cwd", "--cwd is for commands");
  return { type, url, ...pairsOf(options, "--header", "headers", /^([^:\s]+):\s*(.*)$/s) };
}

function timeoutOf(seconds: string | undefined): { timeout?: number } {
  if (seconds === undefined) return {};
  const timeout = Number(seconds);
  if (!(timeout > 0)) throw new UsageError("--timeout needs a number of seconds");
  return { timeout };
}

function pairsOf(options: Given, option: `--${string}`, field: string, form: RegExp): Record<string, unknown> {
  const given = options.get(option) ?? [];
  if (given.length === 0) return {};
  const pairs = given.map((text) => {
    const [, name, value] = form.exec(text) ?? [];
    if (name === undefined)
      throw new UsageError(`${option} needs ${addOptions.find((one) => one.name === option)?.value}`);
    return [name, value];
  });
  return { [field]: Object.fromEntries(pairs) };
}

function refuse(options: Given, option: `--${string}`, why: string): void {
  if (options.has(option)) throw new UsageError(why);
}

function last(options: Given, name: `--${string}`): string | undefined {
  return options.get(name)?.at(-1);
}

function readWords(args: readonly string[]): { readonly options: Given; readonly operands: readonly string[] } {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (!/^-./.test(word)) {
      operands.push(word);
      continue;
    }
    const [flag = "", inline] = word.startsWith("--") ? splitOnce(word) : [word];
    const option = addOptions.find(({ name, short }) => name === flag || short === flag);
    if (option === undefined) throw new UsageError(`unknown option "${flag}"${hint(flag)}`);
    const value = option.value === undefined ? "" : (inline ?? args[++at]);
    if (option.value === undefined && inline !== undefined) throw new UsageError(`${option.name} takes no value`);
    if (value === undefined) throw new UsageError(`${option.name} needs a value: ${option.name} ${option.value}`);
    if (option.choices !== undefined && !option.choices.includes(value)) {
      throw new UsageError(`${option.name} is one of ${option.choices.join(", ")}`);
    }
    options.set(option.name, [...(options.get(option.name) ?? []), value]);
  }
  return { options, operands };
}

function splitOnce(word: string): [string, string?] {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function hint(flag: string): string {
  const known = addOptions.map(({ name }) => name);
  return didYouMean(flag, known, "; put -- before a command");
}
