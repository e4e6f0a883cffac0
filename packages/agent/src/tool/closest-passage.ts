// What a model may have meant when its passage is nowhere: the lines that look most like it.

export interface ClosestPassage {
  /** 1-based, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
  /** From 0 to 1. */
  readonly similarity: number;
}

/** Longer texts are not searched. */
const MAX_CHARS = 1024 * 1024;
const CANDIDATES = 5;
/** Less alike than this is no help. */
const LEAST_SIMILARITY = 0.4;

/** Lines like the most telling one of the wanted lines are found first; around the best of them, whole passages are compared. */
export function closestPassage(text: string, wanted: string): ClosestPassage | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const lines = text.split("\n");
  const wantedLines = wanted.replace(/\n$/, "").split("\n");
  const anchor = wantedLines.reduce(
    (best, line, at) => (line.trim().length > (wantedLines[best] ?? "").trim().length ? at : best),
    0,
  );
  const alike = likenessTo((wantedLines[anchor] ?? "").trim());
  const whole = likenessTo(wanted);
  const passages = lines
    .map((line, at) => ({ at, score: alike(line.trim()) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, CANDIDATES)
    .map(({ at }) => {
      const start = Math.max(at - anchor, 0);
      const passage = lines.slice(start, start + wantedLines.length);
      const content = passage.join("\n");
      return { firstLine: start + 1, lastLine: start + passage.length, text: content, similarity: whole(content) };
    });
  const best = passages.reduce<ClosestPassage | undefined>(
    (a, b) => (a && a.similarity >= b.similarity ? a : b),
    undefined,
  );
  return best !== undefined && best.similarity > LEAST_SIMILARITY ? best : undefined;
}

/** Sørensen and Dice: the share of pairs of neighbouring characters that two texts have in common. */
function likenessTo(wanted: string): (text: string) => number {
  const pairs = pairsOf(wanted);
  const total = Math.max(wanted.length - 1, 0);
  return (text) => {
    if (text === wanted) return 1;
    if (total === 0 || text.length < 2) return 0;
    let common = 0;
    for (const [pair, count] of pairsOf(text)) common += Math.min(count, pairs.get(pair) ?? 0);
    return (2 * common) / (total + text.length - 1);
  };
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
