// How wide a text is on a terminal: letters of East Asia and emoji take two columns, marks above a letter none. Pure.

const segmenter = new Intl.Segmenter();
const EMPTY = /^[\p{Cc}\p{Mn}\p{Me}\p{Cf}]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[\u0020-\u007e]*$/;

export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += widthOf(segment);
  return columns;
}

/** What fits into so many columns; an ellipsis says that there was more. */
export function fitTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > columns) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept}…`;
}

/** Blanks behind it up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

function widthOf(segment: string): number {
  if (EMPTY.test(segment)) return 0;
  return WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1;
}
