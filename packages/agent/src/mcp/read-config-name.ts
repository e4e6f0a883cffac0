// Names of servers: which are fit to be one, and how they stand in sentences and commands. Pure.

export const MAX_NAME_CHARS = 100;

export function isServerName(name: string): boolean {
  return name.trim() !== "" && name.length <= MAX_NAME_CHARS && !/\p{Cc}|[\u2028\u2029]/u.test(name);
}

/** A name from a file, safe in one line of a sentence. */
export function quoted(name: string): string {
  const text = JSON.stringify(name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name);
  return text.replace(/[\u007f-\u009f\u2028\u2029]/g, "?");
}

/** As it is typed in a shell. */
export function toShellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
