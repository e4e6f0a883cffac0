// A line with its number, as files are shown to the model everywhere. The edit tool takes such numbers away again.

export function numberedLine(number: number, line: string): string {
  return `${String(number).padStart(6)}\t${line}`;
}
