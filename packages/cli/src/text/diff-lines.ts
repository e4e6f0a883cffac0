// What changed between two texts, line by line. Pure, and bounded: texts too different to compare are told as one
// removed and the other added.

export type DiffLine =
  | { readonly type: "same"; readonly text: string; readonly oldLine: number; readonly newLine: number }
  | { readonly type: "removed"; readonly text: string; readonly oldLine: number }
  | { readonly type: "added"; readonly text: string; readonly newLine: number };

/** Above this many differences the shortest script is not looked for. */
const MAX_EDITS = 400;

export function diffLines(oldText: string | null | undefined, newText: string): DiffLine[] {
  const before = splitLines(oldText ?? "");
  const after = splitLines(newText);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const middle = compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const steps: Step[] = [...Array<Step>(head).fill("same"), ...middle, ...Array<Step>(tail).fill("same")];
  return number(steps, before, after);
}

export function countChanges(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const { type } of lines) {
    if (type === "added") added++;
    else if (type === "removed") removed++;
  }
  return { added, removed };
}

type Step = "same" | "removed" | "added";

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The shortest edit script by Myers: the furthest reach on every diagonal, one more edit at a time. */
function compare(before: readonly string[], after: readonly string[]): Step[] {
  const replaced: Step[] = [...before.map((): Step => "removed"), ...after.map((): Step => "added")];
  if (before.length === 0 || after.length === 0) return replaced;
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(MAX_EDITS, before.length + after.length); edits++) {
    trace.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      reach.set(diagonal, x);
      if (x >= before.length && y >= after.length) return walkBack(trace, before.length, after.length);
    }
  }
  return replaced;
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function walkBack(trace: readonly Map<number, number>[], endX: number, endY: number): Step[] {
  const steps: Step[] = [];
  let x = endX;
  let y = endY;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Map<number, number>;
    const diagonal = x - y;
    const previous = isDown(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = reach.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY) {
      steps.push("same");
      x--;
      y--;
    }
    if (edits > 0) steps.push(x === fromX ? "added" : "removed");
    x = fromX;
    y = fromY;
  }
  return steps.reverse();
}

function number(steps: readonly Step[], before: readonly string[], after: readonly string[]): DiffLine[] {
  let oldAt = 0;
  let newAt = 0;
  return steps.map((type): DiffLine => {
    if (type === "removed") return { type, text: before[oldAt] ?? "", oldLine: ++oldAt };
    if (type === "added") return { type, text: after[newAt] ?? "", newLine: ++newAt };
    return { type, text: after[newAt] ?? "", oldLine: ++oldAt, newLine: ++newAt };
  });
}
