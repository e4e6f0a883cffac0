// One imperfect edit, as models make them, and what must come of it.

export interface EditCase {
  /** What is imperfect about it. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
  /** Where there is no right answer, it must be refused. */
  readonly result: string | "refused";
}

/** A text of lines, each one with its ending. */
export function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

/** A passage of lines, the last one without its ending. */
export function passage(...all: readonly string[]): string {
  return all.join("\n");
}
