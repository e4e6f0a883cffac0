// Text in the encodings of files that exist: to characters and back, byte for byte. The byte order mark is a character of
// the text. UTF-8 is what everything new is written in.

export type TextEncoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "windows-1252"
  | "gb18030"
  | "shift_jis"
  | "euc-kr"
  | "big5";

/** What a byte from 0x80 to 0x9f is in windows-1252. The decoder of Node 20 takes them for control characters. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

export function decodeText(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === "utf-8") return bytes.toString("utf8");
  if (encoding === "windows-1252") return fromWindows1252(bytes);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** What cannot be written in that encoding is named. */
export function encodeText(
  text: string,
  encoding: TextEncoding,
): { readonly bytes: Buffer } | { readonly impossible: string } {
  switch (encoding) {
    case "utf-8":
      return { bytes: Buffer.from(text, "utf8") };
    case "utf-16le":
      return { bytes: Buffer.from(text, "utf16le") };
    case "utf-16be":
      return { bytes: Buffer.from(text, "utf16le").swap16() };
    case "windows-1252":
    case "gb18030":
    case "shift_jis":
    case "euc-kr":
    case "big5":
      return byTable(text, tableOf(encoding));
  }
}

function fromWindows1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (unit) => WINDOWS_1252[unit.charCodeAt(0) - 0x80] ?? unit);
}

type Table = ReadonlyMap<string, readonly number[]>;
type TableEncoding = Exclude<TextEncoding, "utf-8" | "utf-16le" | "utf-16be">;

function byTable(text: string, table: Table): { readonly bytes: Buffer } | { readonly impossible: string } {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code < 0x80) {
      bytes.push(code);
      continue;
    }
    const known = table.get(character);
    if (known === undefined) return { impossible: character };
    for (const byte of known) bytes.push(byte);
  }
  return { bytes: Buffer.from(bytes) };
}

const tables = new Map<TableEncoding, Table>();

function tableOf(encoding: TableEncoding): Table {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = makeTable(encoding);
  tables.set(encoding, table);
  return table;
}

/** Every sequence of the encoding is decoded once; of several for one character the first counts. */
function makeTable(encoding: TableEncoding): Table {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const table = new Map<string, readonly number[]>();
  for (const sequence of sequencesOf(encoding)) {
    const bytes = Buffer.from(sequence);
    const character = encoding === "windows-1252" ? fromWindows1252(bytes) : decoder.decode(bytes);
    const isOne = [...character].length === 1 && character !== "\uFFFD" && character.charCodeAt(0) >= 0x80;
    if (isOne && !table.has(character)) table.set(character, sequence);
  }
  return table;
}

function* sequencesOf(encoding: TableEncoding): Generator<readonly number[]> {
  for (let one = 0x80; one <= 0xff; one++) yield [one];
  if (encoding === "windows-1252") return;
  for (let lead = 0x81; lead <= 0xfe; lead++) for (let trail = 0x40; trail <= 0xfe; trail++) yield [lead, trail];
  if (encoding !== "gb18030") return;
  // Four bytes, as far as the basic plane goes.
  for (let first = 0x81; first <= 0x84; first++)
    for (let second = 0x30; second <= 0x39; second++)
      for (let third = 0x81; third <= 0xfe; third++)
        for (let fourth = 0x30; fourth <= 0x39; fourth++) yield [first, second, third, fourth];
}
