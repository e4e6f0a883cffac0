// The YAML block some Markdown files begin with: it speaks to programs, not to whoever reads the text.

const BLOCK = /^---[ \t]*\r?\n(?<yaml>(?:.*\r?\n)*?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** The text without its front matter and without a byte order mark. */
export function stripFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, "");
  const block = BLOCK.exec(plain);
  return block !== null && isYaml(block.groups?.yaml ?? "") ? plain.slice(block[0].length) : plain;
}

/** Prose between two rules is no front matter, and must not be lost. */
function isYaml(block: string): boolean {
  const first = block.split(/\r?\n/).find((line) => line.trim() !== "" && !line.startsWith("#"));
  return first === undefined || /^["']?[\w.-]+["']?[ \t]*:(?:[ \t]|$)/.test(first);
}
