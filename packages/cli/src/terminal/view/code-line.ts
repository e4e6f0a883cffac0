// Colours for a line of code: comments, strings, keywords, and no more, so that it is seldom wrong. Goes line by line, and
// is told what the line before left open.

import type { Paint } from "./paint.ts";

/** What ends the comment or string that a line stands in. */
export type Inside = string | undefined;

export interface CodeLine {
  readonly text: string;
  readonly inside: Inside;
}

export function codeLine(line: string, language: string, inside: Inside, paint: Paint): CodeLine {
  if (!paint.hasColour) return { text: line, inside: undefined };
  if (language === "diff" || language === "patch") return { text: diffLine(line, paint), inside: undefined };
  const grammar = GRAMMARS.find(({ languages }) => languages.has(language));
  return grammar === undefined ? { text: line, inside: undefined } : read(line, grammar, inside, paint);
}

/** All lines of a code block. */
export function codeLines(code: string, language: string, paint: Paint): string[] {
  let inside: Inside;
  return code.split("\n").map((line) => {
    const painted = codeLine(line, language, inside, paint);
    inside = painted.inside;
    return painted.text;
  });
}

/** What stands after the marks of a code block begins with its language. */
export function languageOf(words: string): string {
  return /^\s*([\w+#-]*)/.exec(words)?.[1]?.toLowerCase() ?? "";
}

interface Grammar {
  readonly languages: ReadonlySet<string>;
  /** Comments, strings and words; whatever is none of them is left as it is. */
  readonly token: RegExp;
  /** What may go on over lines, by how it begins. */
  readonly spans: Readonly<Record<string, string>>;
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** In either case. */
const shouted = (text: string): ReadonlySet<string> => new Set([...words(text), ...words(text.toUpperCase())]);

const DOUBLE = String.raw`"(?:\\.|[^"\\])*"`;
const SINGLE = String.raw`'(?:\\.|[^'\\])*'`;
const CHARACTER = String.raw`'(?:\\.[^']*|[^'\\])'`;
/** With the dot before it, which makes it a name. */
const WORD = String.raw`\.?[A-Za-z_$][\w$]*`;
const toToken = (...parts: readonly string[]): RegExp => new RegExp([...parts, WORD].join("|"), "g");

const GRAMMARS: readonly Grammar[] = [
  {
    languages: words("ts tsx js jsx mjs cjs mts cts typescript javascript json jsonc json5 css scss php dart"),
    token: toToken("//.*", String.raw`/\*`, "`", DOUBLE, SINGLE),
    spans: { "/*": "*/", "`": "`" },
    keywords: words(
      "abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield",
    ),
  },
  {
    languages: words("c h cpp c++ cc hpp cs csharp java kotlin kt swift scala go golang rust rs zig"),
    token: toToken("//.*", String.raw`/\*`, DOUBLE, CHARACTER),
    spans: { "/*": "*/" },
    keywords: words(
      "abstract as async await bool break case catch chan char class const continue def default defer double else enum explicit export extends extern false final finally float fn for fun func go goto guard if impl implements import in int interface internal let long loop map match mod mut namespace new nil null nullptr object override package private protected pub public range return self short signed sizeof static struct super switch this throw throws trait true try type typedef union unsafe unsigned use using val var virtual void where while",
    ),
  },
  {
    languages: words("py python python3"),
    token: toToken("#.*", '"""', "'''", DOUBLE, SINGLE),
    spans: { '"""': '"""', "'''": "'''" },
    keywords: words(
      "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
    ),
  },
  {
    languages: words("sh bash zsh shell console rb ruby yaml yml toml ini dockerfile make makefile perl elixir"),
    // A comment begins a word: `$#` and `a#b` are none.
    token: toToken(String.raw`(?<=^|\s)#.*`, DOUBLE, SINGLE),
    spans: {},
    keywords: words(
      "begin case class def do done elif else elsif end ensure esac export false fi for function if in local module nil rescue return self then true unless until when while yield",
    ),
  },
  {
    languages: words("sql lua haskell hs"),
    token: toToken("--.*", DOUBLE, SINGLE),
    spans: {},
    keywords: shouted(
      "and as by case create data delete desc distinct do drop else end false for from function group having if in index inner insert into is join key left let limit local module nil not null on or order outer primary references return right select set table then true union unique update values view where while",
    ),
  },
];

function read(line: string, { token, spans, keywords }: Grammar, before: Inside, paint: Paint): CodeLine {
  let inside = before;
  let text = "";
  let at = 0;
  while (at < line.length) {
    if (inside !== undefined) {
      const end = line.indexOf(inside, at);
      const piece = line.slice(at, end < 0 ? line.length : end + inside.length);
      text += styleOf(inside, paint)(piece);
      at += piece.length;
      if (end >= 0) inside = undefined;
      continue;
    }
    token.lastIndex = at;
    const found = token.exec(line);
    if (found === null) break;
    const [piece] = found;
    inside = spans[piece];
    const word = inside === undefined ? painted(piece, keywords, paint) : styleOf(inside, paint)(piece);
    text += `${line.slice(at, found.index)}${word}`;
    at = found.index + piece.length;
  }
  return { text: `${text}${line.slice(at)}`, inside };
}

function painted(piece: string, keywords: ReadonlySet<string>, paint: Paint): string {
  if (/^["']/.test(piece)) return paint.good(piece);
  if (/^(?:\/\/|#|--)/.test(piece)) return paint.quiet(piece);
  return keywords.has(piece) ? paint.code(piece) : piece;
}

function styleOf(end: string, paint: Paint): (text: string) => string {
  return end === "*/" ? paint.quiet : paint.good;
}

function diffLine(line: string, paint: Paint): string {
  if (/^(?:\+\+\+|---) /.test(line)) return paint.strong(line);
  if (line.startsWith("+")) return paint.good(line);
  if (line.startsWith("-")) return paint.bad(line);
  return line.startsWith("@@") ? paint.accent(line) : line;
}
