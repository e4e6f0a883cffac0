// What models put around or into a passage that is not part of the file: line numbers of a listing, a fence, escapes of
// JSON or HTML. Each is undone in the old and the new text alike; whoever tries them checks that the passage is there then.

export interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

/** Most likely first. None of them is the same as the given texts. */
export function readingsOf(given: Texts): Texts[] {
  const readings = [withoutNumbers, withoutFence, withoutEscapes, withoutDoubled, withoutEntities].flatMap(
    (undo) => undo(given) ?? [],
  );
  return readings.filter(({ oldText }) => oldText !== given.oldText && oldText.trim() !== "");
}

/** "    12\ttext", as files are listed; the numbers must follow each other. */
function withoutNumbers({ oldText, newText }: Texts): Texts | undefined {
  const numbers = numbersOf(oldText);
  const areInOrder = numbers?.every((number, at) => at === 0 || number === (numbers[at - 1] as number) + 1);
  if (numbers === undefined || !areInOrder) return undefined;
  return {
    oldText: stripNumbers(oldText),
    newText: numbersOf(newText) === undefined ? newText : stripNumbers(newText),
  };
}

const NUMBER = /^ *(\d+)(?:\t|→| \| ?)/;

/** Nothing unless every line has one. */
function numbersOf(text: string): number[] | undefined {
  const lines = text.replace(/\n$/, "").split("\n");
  const numbers = lines.map((line) => NUMBER.exec(line)?.[1]);
  return numbers.every((number) => number !== undefined) ? numbers.map(Number) : undefined;
}

function stripNumbers(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(NUMBER, ""))
    .join("\n");
}

function withoutFence({ oldText, newText }: Texts): Texts | undefined {
  const old = unfenced(oldText);
  return old === undefined ? undefined : { oldText: old, newText: unfenced(newText) ?? newText };
}

function unfenced(text: string): string | undefined {
  return /^\s*```[\w+-]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1];
}

/**
 * JSON in JSON. When there are real line ends, those of the escapes are the file's own, and only the quotes were escaped
 * once too often.
 */
function withoutEscapes({ oldText, newText }: Texts): Texts | undefined {
  if (!oldText.includes("\\")) return undefined;
  const onlyQuotes = oldText.includes("\n") || newText.includes("\n");
  const undo = onlyQuotes ? unescapeQuotes : unescapeAll;
  return { oldText: undo(oldText), newText: undo(newText) };
}

/** Every backslash and quote has one more before it, and line ends are real. */
function withoutDoubled({ oldText, newText }: Texts): Texts | undefined {
  if (!oldText.includes("\\\\")) return undefined;
  const undo = (text: string): string => text.replace(/\\(["'`\\])/g, "$1");
  return { oldText: undo(oldText), newText: undo(newText) };
}

function unescapeQuotes(text: string): string {
  return text.replace(/\\(["'`])/g, "$1");
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", '"': '"', "'": "'", "\\": "\\", "/": "/" };

function unescapeAll(text: string): string {
  return text.replace(/\\([ntr"'\\/])/g, (_, letter: string) => ESCAPED[letter] ?? letter);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

function withoutEntities({ oldText, newText }: Texts): Texts | undefined {
  if (!/&(?:lt|gt|quot|#39|apos|amp);/.test(oldText)) return undefined;
  const undo = (text: string): string =>
    text.replace(/&(?:lt|gt|quot|#39|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  return { oldText: undo(oldText), newText: undo(newText) };
}
