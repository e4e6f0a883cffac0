// One word of a command as the program would get it, as far as the text tells. What it does not tell is marked.

/** The home folder: `~`, `$HOME`. */
export const HOME = "\uE000";
/** Any run of characters, from a pattern the shell fills in. */
export const STAR = "\uE001";
/** Any one character. */
export const ONE = "\uE002";
/** Whatever the text does not say: a variable, the output of a command. */
export const UNKNOWN = "\uE003";

const MARKS = /[\uE000-\uE003]/;

export interface Field {
  /** Quotes removed, escapes decoded, marks where the value is not known. */
  readonly shape: string;
  /** Every shell reads it so: nothing was expanded but a leading `~` and file patterns. */
  readonly sure: boolean;
  /** What can be read from the file it names, where it is a process substitution that tells. */
  readonly output?: string | undefined;
}

export function literal(text: string): Field {
  return { shape: unmark(text), sure: true };
}

/** The word itself, where all of it is known. */
export function textOf(field: Field | undefined): string | undefined {
  return field === undefined || MARKS.test(field.shape) ? undefined : field.shape;
}

/** For people and patterns: unknown parts as an ellipsis. */
export function readable(field: Field): string {
  return field.shape.replaceAll(HOME, "~").replaceAll(STAR, "*").replaceAll(ONE, "?").replaceAll(UNKNOWN, "…");
}

/** Text from outside cannot contain our marks. */
export function unmark(text: string): string {
  return MARKS.test(text) ? text.replace(/[\uE000-\uE003]/g, "_") : text;
}
