// `@name words`: which agent a line is for. Pure.

export interface Address {
  readonly name: string;
  /** What it is to be told; empty where nothing was said. */
  readonly words: string;
}

/** Whether there is such an agent is for others to say. */
export function parseAddress(line: string): Address | undefined {
  const [, name, words = ""] = /^@([A-Za-z0-9][\w.-]*)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, words: words.trim() };
}

/** How an agent is called wherever it is told of. */
export function toMark(name: string): string {
  return `@${name}`;
}
