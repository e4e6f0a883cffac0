// Wrapping for Chinese and Japanese, which are written without blanks: a line may end after nearly every character, but
// does not begin with what closes and does not end with what opens.

import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Ideographs, kana and their punctuation. Korean has blanks. */
const UNSPACED = "\\u2e80-\\u312f\\u3190-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60\\u{20000}-\\u{3ffff}";
const STYLE = "\\u001b(?:\\[[0-9;]*m|\\]8;[^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\))";
const CLOSING = "、。，．！？：；）」』】》〉］｝〕”’…ー～ぁぃぅぇぉっゃゅょァィゥェォッャュョ々";
const OPENING = "（「『【《〈［｛〔“‘";

const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
/** A style, blanks, or what stays together: a word, or a character with what may not be parted from it. */
const UNIT = new RegExp(
  `(${STYLE})|( +)|[${OPENING}]*(?:[${UNSPACED}][\\u3099\\u309a\\ufe00-\\ufe0f]*|[^ \\u001b${UNSPACED}]+)[${CLOSING}]*`,
  "gu",
);

export function isUnspaced(text: string): boolean {
  return HAS_UNSPACED.test(text);
}

/** One line of text as lines of a width; every line after the first begins with `margin`. */
export function wrapUnspaced(line: string, width: number, margin = ""): string[] {
  const marginWidth = visibleWidth(margin);
  const lines: string[] = [];
  const styles = new Styles();
  let current = "";
  let used = 0;
  let isEmpty = true;
  const breakLine = (): void => {
    lines.push(current);
    current = `${margin}${styles.on}`;
    used = marginWidth;
    isEmpty = true;
  };
  let blanks = "";
  // A style that begins does so with the next word, wherever that stands.
  let begins: string[] = [];
  for (const [unit, style, blank] of line.matchAll(UNIT)) {
    if (blank !== undefined) blanks = blank;
    else if (style !== undefined && meaningOf(style).isBegin) begins.push(style);
    else if (style !== undefined) {
      current += `${begins.join("")}${style}`;
      for (const one of [...begins, style]) styles.follow(one);
      begins = [];
    } else {
      if (!isEmpty && used + blanks.length + visibleWidth(unit) > width) {
        breakLine();
        blanks = "";
      }
      // What is indented beyond the edge is not, so that there is room for a character.
      if (isEmpty) blanks = blanks.slice(0, Math.max(0, width - used - 2));
      const room = Math.max(1, width - Math.max(marginWidth, used + blanks.length));
      current += `${blanks}${begins.join("")}`;
      used += blanks.length;
      for (const one of begins) styles.follow(one);
      for (const [at, piece] of wrapTextWithAnsi(unit, room).entries()) {
        if (at > 0) breakLine();
        current += piece;
        used += visibleWidth(piece);
        isEmpty = false;
      }
      blanks = "";
      begins = [];
    }
  }
  return [...lines, `${current}${begins.join("")}`];
}

/** What is switched on, and what switches it off. */
class Styles {
  readonly #on = new Map<string, string>();

  get on(): string {
    return [...this.#on.keys()].join("");
  }

  follow(style: string): void {
    const { ends, isBegin } = meaningOf(style);
    if (isBegin) this.#on.set(style, ends);
    else for (const [begun, its] of this.#on) if (its === ends || ends === "0") this.#on.delete(begun);
  }
}

/** Whether a style begins or ends, and by which name it ends: a link by its own, the rest by their number. */
function meaningOf(style: string): { readonly ends: string; readonly isBegin: boolean } {
  if (style.startsWith("\u001b]")) {
    // An address begins a link, none ends it.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences.
    return { ends: "link", isBegin: !/^\u001b\]8;[^;]*;(?:\u0007|\u001b)/.test(style) };
  }
  const code = Number(style.slice(2, -1));
  if (code === 0 || (code > 20 && code < 30) || code === 39 || code === 49) return { ends: `${code}`, isBegin: false };
  if (code < 10) return { ends: `${code === 1 ? 22 : 20 + code}`, isBegin: true };
  return { ends: (code >= 40 && code < 50) || code >= 100 ? "49" : "39", isBegin: true };
}
