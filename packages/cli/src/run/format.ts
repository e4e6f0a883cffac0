// The formats a run can answer in.

export type Format = "text" | "json" | "stream-json";

const formats: readonly Format[] = ["text", "json", "stream-json"];

export function isFormat(word: unknown): word is Format {
  return (formats as readonly unknown[]).includes(word);
}

/** What was asked for, also on a command line that makes no sense otherwise: its complaint comes in that format. */
export function formatIn(args: readonly string[]): Format {
  let format: Format = "text";
  for (const [at, arg] of args.entries()) {
    if (arg === "--") break;
    const word = arg === "--format" ? args[at + 1] : /^--format=(.*)$/.exec(arg)?.[1];
    if (isFormat(word)) format = word;
  }
  return format;
}
