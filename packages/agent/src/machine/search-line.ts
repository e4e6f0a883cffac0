// What is shown of a line: from its start when the match is near, else what is around the match.

/** In bytes of UTF-8. */
const SHOWN_BYTES = 400;
const NEAR_BYTES = 300;
const BEFORE_BYTES = 100;

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Which bytes of a line are shown, by the place of the match. */
export function windowAround(at: number): Window {
  const from = at <= NEAR_BYTES ? 0 : at - BEFORE_BYTES;
  return { from, to: from + SHOWN_BYTES };
}

/** The text of a window; `bytes` are those in it, of a line that has `total`. */
export function showWindow(bytes: Buffer, { from, to }: Window, total: number): string {
  const isCut = total > to;
  const start = from > 0 ? borderFrom(bytes, 0) : 0;
  const end = isCut ? borderUpTo(bytes, bytes.length) : bytes.length;
  const text = bytes.toString("utf8", start, end);
  return `${from > 0 ? "…" : ""}${isCut ? `${text}…` : text.replace(/\r$/, "")}`;
}

function borderFrom(bytes: Buffer, at: number): number {
  while (at < bytes.length && isInside(bytes[at])) at++;
  return at;
}

/** The last character may miss its end. */
function borderUpTo(bytes: Buffer, end: number): number {
  let at = end;
  while (at > Math.max(end - 4, 0) && isInside(bytes[at - 1])) at--;
  const first = bytes[at - 1] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return at - 1 + length <= end ? end : at - 1;
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
