// Reads the text of a regular expression into nodes, or says what is not understood.

export type Node =
  | { readonly type: "char"; readonly test: (code: number) => boolean }
  | { readonly type: "assert"; readonly test: (input: string, at: number) => boolean }
  | { readonly type: "sequence"; readonly items: readonly Node[] }
  | { readonly type: "choice"; readonly options: readonly Node[] }
  | { readonly type: "repeat"; readonly item: Node; readonly min: number; readonly max: number | undefined }
  | { readonly type: "look"; readonly item: Node; readonly negated: boolean };

type ReadPattern =
  | { readonly type: "read"; readonly node: Node }
  | { readonly type: "refused"; readonly problem: string };

type CharTest = (code: number) => boolean;

interface Reader {
  readonly source: string;
  at: number;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

/** Thrown and caught in this file only. */
class Refusal extends Error {}

export function readPattern(source: string): ReadPattern {
  const flags = /^\(\?([is]+)\)/.exec(source);
  const set = flags?.[1] ?? "";
  const reader: Reader = {
    source,
    at: flags?.[0].length ?? 0,
    ignoreCase: set.includes("i"),
    dotAll: set.includes("s"),
  };
  try {
    const node = readChoice(reader);
    if (reader.at < source.length) return { type: "refused", problem: "it has an unmatched )" };
    return { type: "read", node };
  } catch (cause) {
    if (cause instanceof Refusal) return { type: "refused", problem: cause.message };
    throw cause;
  }
}

function readChoice(reader: Reader): Node {
  const options = [readSequence(reader)];
  while (take(reader, "|")) options.push(readSequence(reader));
  return options.length === 1 ? (options[0] as Node) : { type: "choice", options };
}

function readSequence(reader: Reader): Node {
  const items: Node[] = [];
  while (reader.at < reader.source.length && !"|)".includes(peek(reader))) items.push(readRepeat(reader));
  return { type: "sequence", items };
}

function readRepeat(reader: Reader): Node {
  const item = readItem(reader);
  const bounds = readBounds(reader);
  if (bounds === undefined) return item;
  if (item.type === "assert" || item.type === "look") throw new Refusal("it repeats something that has no length");
  take(reader, "?");
  if (readBounds(reader) !== undefined) throw new Refusal("it repeats a repetition");
  return { type: "repeat", item, ...bounds };
}

function readBounds(reader: Reader): { min: number; max: number | undefined } | undefined {
  if (take(reader, "*")) return { min: 0, max: undefined };
  if (take(reader, "+")) return { min: 1, max: undefined };
  if (take(reader, "?")) return { min: 0, max: 1 };
  const counted = /^\{(\d{0,4})(,?)(\d{0,4})\}/.exec(reader.source.slice(reader.at, reader.at + 12));
  if (counted === null) return undefined;
  const [whole, low = "", comma, high = ""] = counted;
  if (low === "" && (comma === "" || high === "")) return undefined;
  reader.at += whole.length;
  const min = low === "" ? 0 : Number(low);
  const max = comma === "" ? min : high === "" ? undefined : Number(high);
  if (max !== undefined && max < min) throw new Refusal("a repetition ends before it begins");
  return { min, max };
}

function readItem(reader: Reader): Node {
  const char = peek(reader);
  reader.at += 1;
  switch (char) {
    case "(":
      return readGroup(reader);
    case "[":
      return { type: "char", test: readClass(reader) };
    case ".":
      return { type: "char", test: reader.dotAll ? () => true : (code) => code !== 10 };
    case "^":
      return { type: "assert", test: (_, at) => at === 0 };
    case "$":
      return { type: "assert", test: isEnd };
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
      throw new Refusal("it repeats nothing");
    default:
      return { type: "char", test: same(char, reader) };
  }
}

function readGroup(reader: Reader): Node {
  const rest = reader.source.slice(reader.at, reader.at + 80);
  const opening = /^\?(?::|=|!|P?<[A-Za-z_]\w{0,60}>)/.exec(rest)?.[0];
  if (rest.startsWith("?") && opening === undefined) throw new Refusal("it has a group that is not supported");
  reader.at += opening?.length ?? 0;
  const item = readChoice(reader);
  if (!take(reader, ")")) throw new Refusal("it has an unmatched (");
  if (opening === "?=" || opening === "?!") return { type: "look", item, negated: opening === "?!" };
  return item;
}

function readEscape(reader: Reader): Node {
  const char = peek(reader);
  if (char === "b" || char === "B") {
    reader.at += 1;
    return { type: "assert", test: (input, at) => isEdge(input, at) === (char === "b") };
  }
  if (char === "A" || char === "Z" || char === "z") {
    reader.at += 1;
    return { type: "assert", test: (input, at) => at === (char === "A" ? 0 : input.length) };
  }
  return { type: "char", test: readEscapedChar(reader).test };
}

/** What stands after a backslash, in a class or outside; `char` where it is a single one. */
function readEscapedChar(reader: Reader): { test: CharTest; char?: string } {
  const char = peek(reader);
  if (char === "") throw new Refusal("it ends in a backslash");
  reader.at += 1;
  const shorthand = SHORTHANDS[char.toLowerCase()];
  if (shorthand !== undefined) return { test: char === char.toLowerCase() ? shorthand : (code) => !shorthand(code) };
  const control = CONTROLS[char];
  if (control !== undefined) return { test: same(control, reader), char: control };
  if (char === "x" || char === "u") {
    const digits = reader.source.slice(reader.at, reader.at + (char === "x" ? 2 : 4));
    if (!/^([0-9a-fA-F]{2}|[0-9a-fA-F]{4})$/.test(digits)) throw new Refusal("it has an escape that is not supported");
    reader.at += digits.length;
    const value = String.fromCharCode(Number.parseInt(digits, 16));
    return { test: same(value, reader), char: value };
  }
  if (/[A-Za-z0-9]/.test(char)) throw new Refusal("it has an escape that is not supported");
  return { test: same(char, reader), char };
}

function readClass(reader: Reader): CharTest {
  const negated = take(reader, "^");
  const tests: CharTest[] = [];
  for (let first = true; first || peek(reader) !== "]"; first = false) {
    if (reader.at >= reader.source.length) throw new Refusal("it has an unmatched [");
    const low = readClassChar(reader);
    const ranges = peek(reader) === "-" && !["]", ""].includes(reader.source.charAt(reader.at + 1));
    if (!ranges) {
      tests.push(low.test);
      continue;
    }
    reader.at += 1;
    const high = readClassChar(reader);
    if (low.char === undefined || high.char === undefined || low.char > high.char)
      throw new Refusal("it has a bad range");
    tests.push(between(low.char.charCodeAt(0), high.char.charCodeAt(0), reader));
  }
  reader.at += 1;
  return (code) => tests.some((test) => test(code)) !== negated;
}

function readClassChar(reader: Reader): { test: CharTest; char?: string } {
  const char = peek(reader);
  reader.at += 1;
  if (char !== "\\") return { test: same(char, reader), char };
  if (peek(reader) !== "b") return readEscapedChar(reader);
  reader.at += 1;
  return { test: same("\b", reader), char: "\b" };
}

const isDigit: CharTest = (code) => code >= 48 && code <= 57;
const isWordChar: CharTest = (code) => /\w/.test(String.fromCharCode(code));
const SHORTHANDS: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  w: isWordChar,
  s: (code) => /\s/.test(String.fromCharCode(code)),
};
const CONTROLS: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v", a: "\x07" };

function same(char: string, reader: Reader): CharTest {
  const code = char.charCodeAt(0);
  return between(code, code, reader);
}

function between(low: number, high: number, { ignoreCase }: Reader): CharTest {
  const inside: CharTest = (code) => code >= low && code <= high;
  if (!ignoreCase) return inside;
  return (code) => {
    const char = String.fromCharCode(code);
    return inside(code) || inside(char.toLowerCase().charCodeAt(0)) || inside(char.toUpperCase().charCodeAt(0));
  };
}

/** As in Python: a last line break does not count. */
function isEnd(input: string, at: number): boolean {
  return at === input.length || (at === input.length - 1 && input.charAt(at) === "\n");
}

function isEdge(input: string, at: number): boolean {
  const before = at > 0 && isWordChar(input.charCodeAt(at - 1));
  const after = at < input.length && isWordChar(input.charCodeAt(at));
  return before !== after;
}

function peek(reader: Reader): string {
  return reader.source.charAt(reader.at);
}

function take(reader: Reader, char: string): boolean {
  if (peek(reader) !== char) return false;
  reader.at += 1;
  return true;
}
