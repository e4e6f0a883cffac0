// What somebody may have meant who misspelt a word.

const MAX_DISTANCE = 3;

/** The word that differs by the fewest letters, if it is close: at most every third letter is another. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.min(MAX_DISTANCE, Math.ceil(word.length / 3));
  const [best] = known
    .map((one) => ({ one, apart: distance(word, one) }))
    .filter(({ one, apart }) => apart <= Math.min(most, one.length - 1))
    .sort((a, b) => a.apart - b.apart);
  return best?.one;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
