// The words after `agentao acp TOOL`: options that are known, words, and the command after `--`.

import { parseArgs } from "node:util";
import { UsageError } from "../../manual/usage-error.ts";
import { didYouMean } from "../../nearest.ts";

export interface OptionKind {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

export interface Given {
  readonly words: readonly string[];
  /** What follows `--`. */
  readonly command: readonly string[];
  text(name: string): string | undefined;
  has(name: string): boolean;
}

/** Throws a `UsageError` for what is not known. */
export function parseArguments(
  tool: string,
  args: readonly string[],
  options: { readonly [name: string]: OptionKind },
): Given {
  const end = args.indexOf("--");
  const own = end < 0 ? [...args] : args.slice(0, end);
  const command = end < 0 ? [] : args.slice(end + 1);
  let values: { readonly [name: string]: string | boolean | (string | boolean)[] | undefined };
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({ args: own, options, allowPositionals: true, strict: true }));
  } catch (cause) {
    throw new UsageError(`acp ${tool}: ${explain(cause as Error & { code?: string }, own, Object.keys(options))}`);
  }
  return {
    words: positionals,
    command,
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    has: (name) => values[name] === true,
  };
}

function explain(cause: Error & { code?: string }, args: readonly string[], known: readonly string[]): string {
  if (cause.code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return cause.message.split("\n", 1)[0] ?? "";
  const names = known.map((name) => `--${name}`);
  const strange = args.find((arg) => arg.startsWith("-") && !names.includes(arg.split("=", 1)[0] ?? "")) ?? "";
  return `there is no option "${strange}"${didYouMean(strange, names)}`;
}
