// Texts as words of a shell.

/** Inside single quotes, where only a single quote means something. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
