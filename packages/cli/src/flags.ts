// What was asked for on the command line. Small: it runs before everything else.

import { isatty } from "node:tty";
import { nearest } from "./nearest.ts";

export type Asked =
  | { readonly type: "acp"; readonly resume?: { readonly id?: string | undefined } | undefined }
  | { readonly type: "command"; readonly name: string; readonly args: readonly string[] }
  | { readonly type: "help" }
  | { readonly type: "version" }
  /** Exit code 2. */
  | { readonly type: "wrong"; readonly problem: string };

const FLAGS = ["--acp", "--stdio", "--resume", "--help", "--version"];

/** In a terminal, these without a command are a conversation. */
const CHAT_FLAGS = ["--resume", "--continue", "-c", "--model", "--mode", "--cwd", "--agent"];

export function parseFlags(args: readonly string[], isTerminal: () => boolean = hasTerminal): Asked {
  const [first, ...rest] = args;
  if (first !== undefined && !first.startsWith("-")) return { type: "command", name: first, args: rest };
  if (isChat(args) && isTerminal()) return { type: "command", name: "chat", args };
  const printed = parsePrint(args);
  if (printed !== undefined) return { type: "command", name: "run", args: printed };
  const seen = new Set<string>();
  let resumeId: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const [name = "", value] = splitFlag(args[at] ?? "");
    const flag = SHORT[name] ?? name;
    if (!flag.startsWith("-")) return wrong(`unexpected argument "${flag}"`);
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
  return args.length === 0 ? { type: "help" } : wrong("nothing to do");
}

function hasTerminal(): boolean {
  return isatty(0) && isatty(1);
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

function wrong(problem: string): Asked {
  return { type: "wrong", problem };
}

function hint(flag: string): string {
  const close = nearest(flag, FLAGS);
  return close === undefined ? "" : `; did you mean ${close}?`;
}
