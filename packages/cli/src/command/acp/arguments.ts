// The words after `agentao acp TOOL`: options that completion knows, words, and the command after `--`.

import { parseWords, textOf, type Words } from "../../manual/parse-words.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { acpWords } from "./words.ts";

export interface Given {
  readonly words: readonly string[];
  /** What follows `--`. */
  readonly command: readonly string[];
  text(name: `--${string}`): string | undefined;
  has(name: `--${string}`): boolean;
}

/** Throws a `UsageError` for what is not known. */
export function parseArguments(tool: string, args: readonly string[]): Given {
  const end = args.indexOf("--");
  const words = parseOwn(tool, end < 0 ? args : args.slice(0, end));
  return {
    words: words.operands,
    command: end < 0 ? [] : args.slice(end + 1),
    text: (name) => textOf(words, name),
    has: (name) => words.options[name] === true,
  };
}

function parseOwn(tool: string, args: readonly string[]): Words {
  try {
    return parseWords(args, acpWords.find(({ name }) => name === tool)?.options ?? []);
  } catch (cause) {
    throw cause instanceof UsageError ? new UsageError(`acp ${tool}: ${cause.message}`) : cause;
  }
}
