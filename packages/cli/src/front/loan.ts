// What a front lends an agent that is a process of its own: files and commands of this machine, inside one folder.

import type { ClientHandlers } from "@agentao/acp";

/** Reading is always lent. */
export type Lent = "write" | "terminal";

export const lendable: readonly Lent[] = ["write", "terminal"];

export interface LoanOptions {
  readonly lends: readonly Lent[];
  /** The folder, asked with every request: which one it is may be known late. */
  folder(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a command may take to end. */
  readonly graceMs: number;
}

export interface Loan {
  readonly handlers: ClientHandlers;
  /** Ends the commands that still run. */
  close(): Promise<void>;
}

export async function createLoan({ lends, folder, env, graceMs }: LoanOptions): Promise<Loan> {
  const { createFileHandlers, createTerminalHandlers } = await import("@agentao/acp/node");
  const roots = (): readonly string[] => [folder()];
  const { readTextFile, writeTextFile } = createFileHandlers({ roots });
  const files = { readTextFile, ...(lends.includes("write") && { writeTextFile }) };
  if (!lends.includes("terminal")) return { handlers: files, close: async () => {} };
  const { releaseSession, close, ...terminals } = createTerminalHandlers({ env, roots, graceMs });
  return { handlers: { ...files, ...terminals }, close };
}
