// What can stand in a place of the command line, for every shell alike. Pure.

import type { Operand, Option } from "../manual/command.ts";

export type Offer = Operand | "folder";

/** What an option's value is, by what help calls it. Nothing where nobody can know. */
export function offerOf({ value, choices, suggestions }: Option): Offer | undefined {
  if (choices !== undefined || suggestions !== undefined) return choices ?? suggestions;
  switch (value?.replace(/[[\]]/g, "")) {
    case "FILE":
      return "file";
    case "DIR":
    case "FOLDER":
      return "folder";
    case "ID":
      return "session";
    case "MODEL":
      return "model";
    default:
      return undefined;
  }
}

/** What prints all words that can stand there. They must be plain: bash expands them once more. */
export const LISTERS = {
  session: "agentao sessions list --all --ids 2>/dev/null",
  model: "agentao models --ids 2>/dev/null",
  server: "agentao mcp list --names 2>/dev/null",
  agent: "agentao acp list --names 2>/dev/null",
} as const;
