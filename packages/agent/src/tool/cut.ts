// Cuts text between characters, and counts what it takes on the wire.

import { visibleLine } from "../permission/visible.ts";

/** The largest index up to `at` that is not inside of a character. */
export function borderBefore(text: string, at: number): number {
  return isInsideCharacter(text, at) ? at - 1 : at;
}

/** The smallest index from `at` on that is not inside of a character. */
export function borderAfter(text: string, at: number): number {
  return isInsideCharacter(text, at) ? at + 1 : at;
}

/** One line, short enough for a title, with nothing in it that a screen would hide. */
export function firstLine(text: string, maxChars: number): string {
  const [first = "", ...others] = text.trim().split(/[\r\n\u2028\u2029\u0085]/, 2);
  const line = visibleLine(first);
  const isWhole = others.length === 0;
  if (isWhole && line.length <= maxChars) return line;
  return `${line.slice(0, borderBefore(line, Math.min(line.length, maxChars - 1))).trimEnd()}…`;
}

/** How many bytes the text takes inside of a JSON string in UTF-8. */
export function jsonBytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) bytes += bytesAt(text, at);
  return bytes;
}

/** Where the longest beginning ends that takes no more than `maxBytes`. */
export function headWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = 0;
  for (; at < text.length; at++) {
    bytes += bytesAt(text, at);
    if (bytes > maxBytes) break;
  }
  return borderBefore(text, at);
}

/** Where the longest end begins that takes no more than `maxBytes`. */
export function tailWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = text.length;
  for (; at > 0; at--) {
    bytes += bytesAt(text, at - 1);
    if (bytes > maxBytes) break;
  }
  return borderAfter(text, at);
}

function isInsideCharacter(text: string, at: number): boolean {
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
}

/** Of one code unit: half of a pair counts half of its four bytes, one that stands alone is escaped. */
function bytesAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x20 && code < 0x7f) return code === 0x22 || code === 0x5c ? 2 : 1;
  if (code < 0x20) return code === 0x0a || code === 0x09 || code === 0x0d || code === 0x08 || code === 0x0c ? 2 : 6;
  if (code === 0x7f) return 1;
  if (code < 0x800) return 2;
  if (isHighSurrogate(code)) return isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 6;
  if (isLowSurrogate(code)) return isHighSurrogate(text.charCodeAt(at - 1)) ? 2 : 6;
  return 3;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
