// What changes from some lines to others.

/** Beyond this many comparisons, only what is before and after all changes counts as the same. */
const MAX_COMPARISONS = 1_000_000;

export interface Hunk {
  readonly isSame: boolean;
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly freshStart: number;
  readonly freshEnd: number;
}

/** Stretches of lines that are the same in both, and those between them. */
export function hunksOf(old: readonly string[], fresh: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldAt, freshAt] = [0, 0];
  const add = (isSame: boolean, oldEnd: number, freshEnd: number): void => {
    if (oldEnd > oldAt || freshEnd > freshAt)
      hunks.push({ isSame, oldStart: oldAt, oldEnd, freshStart: freshAt, freshEnd });
    [oldAt, freshAt] = [oldEnd, freshEnd];
  };
  for (const [oldLine, freshLine] of sameLines(old, fresh)) {
    if (oldLine > oldAt || freshLine > freshAt) add(false, oldLine, freshLine);
    add(true, oldLine + 1, freshLine + 1);
  }
  add(false, old.length, fresh.length);
  return hunks;
}

/** Pairs of positions of equal lines, in order: the longest such sequence. */
function sameLines(old: readonly string[], fresh: readonly string[]): [number, number][] {
  let head = 0;
  while (head < old.length && head < fresh.length && isSameLine(old[head], fresh[head])) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && isSameLine(old.at(-1 - tail), fresh.at(-1 - tail))) tail++;
  const middle = longestCommon(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  return [
    ...Array.from({ length: head }, (_, at): [number, number] => [at, at]),
    ...middle.map(([a, b]): [number, number] => [a + head, b + head]),
    ...Array.from({ length: tail }, (_, at): [number, number] => [old.length - tail + at, fresh.length - tail + at]),
  ];
}

function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > MAX_COMPARISONS) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const [next, down, right] = [(i + 1) * width + j + 1, (i + 1) * width + j, i * width + j + 1];
      lengths[i * width + j] = isSameLine(a[i], b[j])
        ? (lengths[next] as number) + 1
        : Math.max(lengths[down] as number, lengths[right] as number);
    }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSameLine(a[i], b[j])) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Blanks at the end do not make a difference between what stays and what changes. */
function isSameLine(a: string | undefined, b: string | undefined): boolean {
  return a?.trimEnd() === b?.trimEnd();
}
