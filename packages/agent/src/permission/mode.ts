// The four modes a session can be in. What they mean for a call is in `decide.ts`.

export type ModeId = "read-only" | "workspace-write" | "full-access" | "plan";

export interface Mode {
  readonly id: ModeId;
  readonly name: string;
  readonly description: string;
}

export const defaultMode: ModeId = "workspace-write";

/** Ids, names and descriptions are shown by clients and kept as they are. */
export const modes: readonly Mode[] = [
  { id: "read-only", name: "Read-only", description: "No writes or shell." },
  { id: "workspace-write", name: "Workspace write", description: "Writes + safe shell; asks for web." },
  { id: "full-access", name: "Full access", description: "All tools, no prompts." },
  { id: "plan", name: "Plan", description: "Plans only; does not execute." },
];

export function isMode(id: string): id is ModeId {
  return modes.some((mode) => mode.id === id);
}
