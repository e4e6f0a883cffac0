// Texts as words of a shell.

/** Inside single quotes, where only a single quote means something. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that prints what an id of a session can be. */
export const SESSION_IDS = "agentao sessions list --all --ids 2>/dev/null";
