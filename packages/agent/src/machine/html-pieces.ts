// A page that is written piece by piece. Each is short and well-formed: what is open at the end of one piece is closed
// there, and opened again at the beginning of the next.

import { attribute, languageClass } from "./html-tag.ts";

/** An element that is open, as far as it is written. */
export interface Written {
  /** How it is written, where it is written at all. */
  readonly written?: string | undefined;
  /** With its attributes. */
  readonly tag: string;
}

/** Longer pieces end where a block does; at the latest, anywhere. What translates them takes the square of their size. */
const PIECE = { chars: 4_000, tags: 300 };
const MAX_PIECE = { chars: 16_000, tags: 1_500 };

export class Pieces {
  readonly #pieces: string[][] = [[]];
  /** Of whoever writes: the elements around what is written next. */
  readonly #open: readonly Written[];
  #size = { chars: 0, tags: 0 };
  #written = 0;
  #preformatted = 0;
  #code = "<code>";
  #codeAt = { piece: 0, at: 0 };

  constructor(open: readonly Written[]) {
    this.#open = open;
  }

  /** In characters, markup included. */
  get written(): number {
    return this.#written;
  }

  get isPreformatted(): boolean {
    return this.#preformatted > 0;
  }

  /** Of the piece that is being written. */
  get index(): number {
    return this.#pieces.length - 1;
  }

  write(text: string, kind?: "tag"): void {
    this.#push(text);
    this.#written += text.length;
    this.#size.chars += text.length;
    if (kind === "tag" || text.startsWith("<")) this.#size.tags++;
    const isBetween = this.#open.every(({ written = "div" }) => written === "div");
    if (exceeds(this.#size, MAX_PIECE) || (isBetween && exceeds(this.#size, PIECE))) this.split();
  }

  /** Text of any length. */
  writeText(text: string): void {
    for (let at = 0; at < text.length; ) {
      const end = cutAt(text, at);
      this.write(text.slice(at, end));
      at = end;
    }
  }

  /** A block of code is `pre` and `code`, whichever of them the page uses. */
  beginCode(itsClass: string | undefined): void {
    this.#preformatted++;
    this.#code = "<code>";
    this.#writeCode();
    this.setLanguage(itsClass);
  }

  setLanguage(itsClass: string | undefined): void {
    const language = languageClass(itsClass);
    const piece = this.#pieces[this.#codeAt.piece];
    if (language === undefined || piece === undefined) return;
    this.#code = `<code${attribute("class", language)}>`;
    piece[this.#codeAt.at] = this.#code;
  }

  endCode(): void {
    this.#preformatted--;
    this.#push("</code>");
  }

  split(): void {
    const open = this.#open.filter(({ written }) => written !== undefined);
    this.#push(this.isPreformatted ? "</code>" : "", ...open.map(({ written }) => `</${written}>`).reverse());
    this.#pieces.push(open.map(({ tag }) => tag));
    if (this.isPreformatted) this.#writeCode();
    this.#size = { chars: 0, tags: 0 };
  }

  /** Without those that are blank. */
  texts(from: number | undefined, to: number | undefined): string[] {
    const pieces = this.#pieces.slice(from, to).map((piece) => piece.join(""));
    return pieces.filter((piece) => piece.trim() !== "");
  }

  #writeCode(): void {
    this.#codeAt = { piece: this.index, at: this.#pieces.at(-1)?.length ?? 0 };
    this.#push(this.#code);
  }

  #push(...texts: readonly string[]): void {
    this.#pieces.at(-1)?.push(...texts);
  }
}

/** Where a piece of a long text ends: after a line or a word, where there are any. */
function cutAt(text: string, from: number): number {
  if (text.length - from <= MAX_PIECE.chars) return text.length;
  const piece = text.slice(from, from + MAX_PIECE.chars);
  const border = piece.lastIndexOf(piece.includes("\n") ? "\n" : " ") + 1;
  // Without words, at least not inside of an entity or a character.
  return from + (border > 0 ? border : piece.replace(/(&[^;]{0,10}|[\ud800-\udbff])$/, "").length);
}

function exceeds(size: { chars: number; tags: number }, most: typeof PIECE): boolean {
  return size.chars >= most.chars || size.tags >= most.tags;
}
