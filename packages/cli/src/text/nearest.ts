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

/** The end of a sentence about a word that is not known. */
export function didYouMean(word: string, known: readonly string[], otherwise = ""): string {
  const close = nearest(word, known);
  return close === undefined ? otherwise : `; did you mean ${close}?`;
}

/** How many letters were left out, put in, changed, or swapped with the next one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(at(i - 1, j - 1) + (isSame ? 0 : 1), at(i - 1, j) + 1, at(i, j - 1) + 1);
      if (isSwapped) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.length, b.length);
}
