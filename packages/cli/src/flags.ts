// What was asked for on the command line. Small: it runs before everything else.

import { fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { nearest } from "./text/nearest.ts";

export type Asked =
  | { readonly type: "acp"; readonly resume?: { readonly id?: string | undefined } | undefined }
  | { readonly type: "command"; readonly name: string; readonly args: readonly string[] }
  | { readonly type: "help" }
  | { readonly type: "version" }
  /** Exit code 2. */
  | { readonly type: "wrong"; readonly problem: string };

const FLAGS = ["--acp", "--stdio", "--resume", "--help", "--version"];

/** In a terminal, these without a command are a conversation. */
const CHAT_FLAGS = ["--resume", "-r", "--continue", "-c", "--model", "-m", "--mode", "--cwd", "-C", "--agent"];

/** What stands behind standard input. `nothing` is a device or a descriptor that nobody writes to. */
export type Input = "terminal" | "pipe" | "nothing";

export function parseFlags(
  args: readonly string[],
  isTerminal: () => boolean = hasTerminal,
  findInput: () => Input = ownInput,
): Asked {
  const [first, ...rest] = args;
  if (first !== undefined && /^[^-].*\s/s.test(first)) return wrong(`there is no command "${first}"; ${toRun(first)}`);
  if (first !== undefined && !first.startsWith("-")) return { type: "command", name: first, args: rest };
  if (isChat(args) && isTerminal()) return { type: "command", name: "chat", args };
  if (args.length === 0) return parseNothing(findInput());
  const printed = parsePrint(args);
  if (printed !== undefined) return { type: "command", name: "run", args: printed };
  const seen = new Set<string>();
  let resumeId: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const [name = "", value] = splitFlag(args[at] ?? "");
    const flag = SHORT[name] ?? name;
    if (!flag.startsWith("-")) return wrong(`unexpected argument "${flag}"`);
    if (!FLAGS.includes(flag) && CHAT_FLAGS.includes(flag)) return wrong(`${flag} ${needsPerson(args)}`);
    if (!FLAGS.includes(flag)) return wrong(`unknown option "${flag}"${hint(flag)}`);
    if (value !== undefined && flag !== "--resume") return wrong(`${flag} takes no value`);
    seen.add(flag);
    if (flag !== "--resume") continue;
    const next = args[at + 1];
    if (value !== undefined) resumeId = value;
    else if (next !== undefined && !next.startsWith("-")) {
      resumeId = next;
      at++;
    }
  }
  if (seen.has("--help")) return { type: "help" };
  if (seen.has("--version")) return { type: "version" };
  if (seen.has("--acp")) return { type: "acp", ...(seen.has("--resume") && { resume: { id: resumeId } }) };
  if (seen.has("--stdio")) return wrong("--stdio requires --acp");
  if (seen.has("--resume")) return wrong("--resume requires --acp");
  return wrong("nothing to do");
}

/** Not a word, and no terminal on both ends: what comes in is a prompt. */
function parseNothing(input: Input): Asked {
  if (input === "nothing") return { type: "help" };
  // Chat says itself that it has no terminal to write to.
  return { type: "command", name: input === "pipe" ? "run" : "chat", args: [] };
}

function hasTerminal(): boolean {
  return isatty(0) && isatty(1);
}

function ownInput(): Input {
  return isatty(0) ? "terminal" : isPipe(0) ? "pipe" : "nothing";
}

/** A pipe, a socket or a file: something that somebody has put there to be read. */
function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket() || found.isFile();
  } catch {
    return false;
  }
}

/** Words where a command is expected are a prompt. */
function toRun(prompt: string): string {
  return `did you mean agentao run ${JSON.stringify(prompt)}?`;
}

/** `--acp` and `-p` win. */
function isChat(args: readonly string[]): boolean {
  if (args.some((arg) => ["--acp", "-p", "--print"].includes(splitFlag(arg)[0]))) return false;
  return args.length === 0 || CHAT_FLAGS.includes(splitFlag(args[0] ?? "")[0]);
}

/** `-p` is another spelling of `run`: what remains without it. `--acp` wins. */
function parsePrint(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => arg === "-p" || arg === "--print" || arg.startsWith("--print="));
  if (at < 0 || args.includes("--acp")) return undefined;
  const [, value] = splitFlag(args[at] ?? "");
  return [...args.slice(0, at), ...(value === undefined ? [] : [value]), ...args.slice(at + 1)];
}

const SHORT: Readonly<Record<string, string>> = { "-h": "--help", "-V": "--version", "-v": "--version" };

function splitFlag(argument: string): [string, string?] {
  const at = argument.indexOf("=");
  return argument.startsWith("--") && at > 0 ? [argument.slice(0, at), argument.slice(at + 1)] : [argument];
}

/** Why an option of a conversation makes no sense here. */
function needsPerson(args: readonly string[]): string {
  return args.some((arg) => splitFlag(arg)[0] === "--acp")
    ? "does not go with --acp"
    : "needs a terminal; agentao run takes it without one";
}

function wrong(problem: string): Asked {
  return { type: "wrong", problem };
}

function hint(flag: string): string {
  const close = nearest(flag, FLAGS);
  return close === undefined ? "" : `; did you mean ${close}?`;
}
