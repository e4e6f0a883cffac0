// How a path is shown in a list of lines: one that would break the line is quoted.

export function toShown(path: string): string {
  return [...path].some(isControl) ? JSON.stringify(path) : path;
}

function isControl(character: string): boolean {
  return character < " " || character === "\x7f";
}
