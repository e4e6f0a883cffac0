// Fences of Markdown.

/** One that is longer than any in the text, which therefore cannot close it. */
export function fenceFor(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  return "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
}
