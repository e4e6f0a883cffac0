// The clipboard of the person's own terminal, also over ssh: OSC 52.

/** Terminals ignore more than this. */
const MAX_BASE64 = 100_000;

/** What to write to the terminal; nothing for what it would ignore. */
export function copySequence(text: string): string | undefined {
  const encoded = Buffer.from(text, "utf8").toString("base64");
  return encoded.length > MAX_BASE64 ? undefined : `\u001b]52;c;${encoded}\u0007`;
}
