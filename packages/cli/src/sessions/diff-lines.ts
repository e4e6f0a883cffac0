// The lines an edit changed, with some around them. For reading; it finds one change, from the first line that differs to
// the last.

export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

const AROUND = 3;

export function toDiffLines(oldText: string | null, newText: string): readonly DiffLine[] {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const mark = (lines: readonly string[], sign: DiffLine["mark"]): DiffLine[] =>
    lines.map((text) => ({ mark: sign, text }));
  const end = before.length - tail;
  return [
    ...mark(before.slice(Math.max(0, head - AROUND), head), " "),
    ...mark(before.slice(head, end), "-"),
    ...mark(after.slice(head, after.length - tail), "+"),
    ...mark(before.slice(end, end + AROUND), " "),
  ];
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
