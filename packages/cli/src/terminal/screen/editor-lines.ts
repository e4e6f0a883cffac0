// What the editor draws, in fewer bytes and our words.

/** `border` is what the editor was told to colour its border with, which it does character by character. */
export function editorLines(lines: readonly string[], border: (text: string) => string): string[] {
  const [begin = "", end = ""] = border("\u0000").split("\u0000");
  const seam = `${end}${begin}`;
  return lines.map((line) => nameLargePastes(seam === "" ? line : line.replaceAll(seam, "")).trimEnd());
}

/** A large paste by how long it is, not by its number. */
function nameLargePastes(line: string): string {
  return line
    .replace(/\[paste #\d+ \+(\d+) lines\]/g, "[pasted $1 lines]")
    .replace(/\[paste #\d+ (\d+) chars\]/g, "[pasted $1 characters]");
}
