// Puts variables into the text of a `.env` and leaves its other lines as they are. Pure.

export type Variable = readonly [name: string, value: string];

export function putVariables(text: string, variables: readonly Variable[]): string {
  const values = new Map(variables);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  // Of two lines with one name the later counts, so all of them are changed.
  const kept = lines.map((line) => {
    const name = nameIn(line) ?? "";
    const value = values.get(name);
    return value === undefined ? line : toAssignment(name, value);
  });
  const left = variables.filter(([name]) => lines.every((line) => nameIn(line) !== name));
  return [...kept, ...left.map(([name, value]) => toAssignment(name, value)), ""].join(end);
}

/** Which of the variables have another value now. */
export function replacedIn(text: string, variables: readonly Variable[]): readonly string[] {
  const lines = text.split(/\r?\n/);
  return variables
    .filter(([name, value]) => lines.some((line) => nameIn(line) === name && line !== toAssignment(name, value)))
    .map(([name]) => name);
}

/** Whether a `.gitignore` says that `.env` stays out, in one of the usual ways. */
export function isIgnored(gitignore: string): boolean {
  return gitignore.split(/\r?\n/).some((line) => /^(?:\/|\*\*\/)?(?:\.env\*?|\*\.env)\s*$/.test(line));
}

function nameIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

function toAssignment(name: string, value: string): string {
  return `${name}=${/^[\w./:@+-]*$/.test(value) ? value : `"${value.replace(/["\\$]/g, "\\$&")}"`}`;
}
