// Puts variables into the text of a `.env` and leaves its other lines as they are. Pure.

export type Variable = readonly [name: string, value: string];

export function putVariables(text: string, variables: readonly Variable[]): string {
  const left = new Map(variables);
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const kept = lines.map((line) => {
    const name = nameIn(line);
    const value = name === undefined ? undefined : left.get(name);
    if (name === undefined || value === undefined) return line;
    left.delete(name);
    return toLine(name, value);
  });
  return `${[...kept, ...[...left].map(([name, value]) => toLine(name, value))].join("\n")}\n`;
}

/** Which of the variables have another value now. */
export function replacedIn(text: string, variables: readonly Variable[]): readonly string[] {
  const lines = text.split(/\r?\n/);
  return variables
    .filter(([name, value]) => lines.some((line) => nameIn(line) === name && line !== toLine(name, value)))
    .map(([name]) => name);
}

/** Whether a `.gitignore` says that `.env` stays out, in one of the usual ways. */
export function isIgnored(gitignore: string): boolean {
  return gitignore.split(/\r?\n/).some((line) => /^(?:\/|\*\*\/)?(?:\.env\*?|\*\.env)\s*$/.test(line));
}

function nameIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

function toLine(name: string, value: string): string {
  return `${name}=${/^[\w./:@+-]*$/.test(value) ? value : `"${value.replace(/["\\$]/g, "\\$&")}"`}`;
}
