// Which encoding the bytes of a file are in. What could be several is taken for windows-1252, in which every byte means
// something and nothing is lost; what is no text at all is nothing.

import { isUtf8 } from "node:buffer";
import { decodeText, encodeText, type TextEncoding } from "./text-encoding.ts";

/** A NUL in this much of a file's beginning means that it is not text. */
const PROBED_BYTES = 8 * 1024;
/** Fewer characters beyond ASCII say too little about which encoding of the Far East it is. */
const LEAST_CHARACTERS = 6;
/** Of the characters beyond ASCII, how many must be everyday ones. */
const EVERYDAY_SHARE = 0.9;

/** `isWhole` is false when the bytes are the beginning of more: then they may end inside of a character. */
export function detectEncoding(bytes: Buffer, { isWhole }: { readonly isWhole: boolean }): TextEncoding | undefined {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0])) return undefined;
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  if (startsWith(bytes, [0xfe, 0xff])) return "utf-16be";
  const probe = bytes.subarray(0, PROBED_BYTES);
  if (probe.includes(0)) return unmarkedUtf16(probe);
  const complete = isWhole ? bytes : bytes.subarray(0, lastBorder(bytes));
  if (isUtf8(complete)) return "utf-8";
  if (hasControls(probe) || isBrokenUtf8(complete)) return undefined;
  return farEastern(complete, isWhole) ?? "windows-1252";
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, at) => bytes[at] === byte);
}

/** Most of the text is ASCII, so that one byte of each pair is mostly zero, and the other never. */
function unmarkedUtf16(probe: Buffer): TextEncoding | undefined {
  const pairs = Math.floor(probe.length / 2);
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < pairs * 2; at++) if (probe[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  if (pairs < 2 || hasControls(probe.filter((byte) => byte !== 0))) return undefined;
  if (zeros[0] === 0 && zeros[1] > pairs * 0.6) return "utf-16le";
  if (zeros[1] === 0 && zeros[0] > pairs * 0.6) return "utf-16be";
  return undefined;
}

/** Where the last character of UTF-8 begins that may be incomplete. */
function lastBorder(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** Other than those text has: tab, line ends, form feed, escape, and backspace. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x08 || byte === 0x0b || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
}

/** UTF-8 with some bytes that are not would be spoiled by an edit in another encoding. */
function isBrokenUtf8(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  const broken = count(text, /\uFFFD/g);
  return count(text, /[^\p{ASCII}\uFFFD]/gu) > Math.max(broken * 2, 3);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

type FarEastern = "gb18030" | "shift_jis" | "euc-kr" | "big5";

/** What a text in each of them mostly consists of, beside ASCII. */
const EVERYDAY: Readonly<Record<FarEastern, (lead: number, trail: number) => boolean>> = {
  gb18030: (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3)),
  "euc-kr": (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xc8) || (lead >= 0xa1 && lead <= 0xa3)),
  big5: (lead) => (lead >= 0xa4 && lead <= 0xc6) || lead === 0xa1,
  shift_jis: (lead) => (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97),
};

/** Only when exactly one of them fits, and can be written back as it was. */
function farEastern(bytes: Buffer, isWhole: boolean): FarEastern | undefined {
  const fitting = (Object.keys(EVERYDAY) as FarEastern[]).filter((encoding) => fits(bytes, encoding, isWhole));
  const [first] = withoutSubsets(fitting, bytes);
  if (first === undefined || withoutSubsets(fitting, bytes).length > 1) return undefined;
  return !isWhole || isReversible(bytes, first) ? first : undefined;
}

function fits(bytes: Buffer, encoding: FarEastern, isWhole: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return false;
  }
  const pairs = pairsOf(bytes);
  const everyday = pairs.filter(([lead, trail]) => EVERYDAY[encoding](lead, trail)).length;
  if (pairs.length < LEAST_CHARACTERS || everyday < pairs.length * EVERYDAY_SHARE) return false;
  if (encoding === "shift_jis") return pairs.some(isKana);
  // Two of five characters of Big5 end so; where none does, it is something else.
  return encoding !== "big5" || pairs.some(([, trail]) => trail < 0x80);
}

/** Characters of two bytes; single high bytes do not occur in everyday text of these encodings. */
function pairsOf(bytes: Buffer): [lead: number, trail: number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    pairs.push([lead, bytes[at + 1] as number]);
    at++;
  }
  return pairs;
}

function isKana([lead, trail]: readonly [number, number]): boolean {
  return (lead === 0x82 && trail >= 0x9f) || lead === 0x83;
}

/** Korean syllables lie where GB 18030 has half of its everyday characters: a Chinese text would use the other half too. */
function withoutSubsets(fitting: readonly FarEastern[], bytes: Buffer): readonly FarEastern[] {
  if (!fitting.includes("euc-kr") || !fitting.includes("gb18030")) return fitting;
  return pairsOf(bytes).length >= 2 * LEAST_CHARACTERS ? fitting.filter((one) => one !== "gb18030") : fitting;
}

function isReversible(bytes: Buffer, encoding: TextEncoding): boolean {
  const back = encodeText(decodeText(bytes, encoding), encoding);
  return "bytes" in back && back.bytes.equals(bytes);
}
