// What a provider said, as a sentence after ours.

/** Longer ones are cut: providers send whole pages. */
export const MAX_SENTENCE = 500;

/** With a blank before it; nothing when nothing was said. */
export function quote(sentence: string): string {
  const line = sentence.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const bound = line.length > MAX_SENTENCE ? `${line.slice(0, MAX_SENTENCE - 1)}…` : line;
  return ` ${/[.!?…]$/.test(bound) ? bound : `${bound}.`}`;
}
