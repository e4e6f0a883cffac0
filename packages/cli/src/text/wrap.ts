// Words in lines of a given width. Pure.

export function wrap(text: string, width: number): string[] {
  return fill(
    text.split(/\s+/).filter((word) => word !== ""),
    width,
  );
}

/** A word that is longer than the width has a line of its own. */
export function fill(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
