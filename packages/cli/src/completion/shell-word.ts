// Texts as words of a shell.

import type { Operand } from "../command/command.ts";

/** Inside single quotes, where only a single quote means something. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What prints all words that can stand in a place. They must be plain: bash expands them once more. */
const LISTS = {
  session: "agentao sessions list --all --ids 2>/dev/null",
  server: "agentao mcp list --names 2>/dev/null",
  agent: "agentao acp list --names 2>/dev/null",
} as const;

export const SESSION_IDS: string = LISTS.session;

/** Nothing where the words are no list of ours. */
export function listerOf(operand: Operand | undefined): string | undefined {
  return operand === "session" || operand === "server" || operand === "agent" ? LISTS[operand] : undefined;
}
