// Changes one place in the text of a JSON object, and no other letter of it: blanks, order and numbers stay as a person
// wrote them. Pure. The text has to be JSON.

import type { KeyPath } from "./key-path.ts";

/** `undefined` takes the place away. Objects on the way that are not there are made. */
export function setInJson(text: string, path: KeyPath, value: unknown): string {
  if (text.trim() === "") return value === undefined ? text : `${JSON.stringify(wrapped(path, value), null, 2)}\n`;
  const style: Style = { indent: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ", line: text.includes("\r\n") ? "\r\n" : "\n" };
  return change(text, text.indexOf("{"), path, value, style);
}

/** Takes away as `setInJson` does, with whatever that leaves empty. */
export function removeFromJson(text: string, path: KeyPath): string {
  const after = setInJson(text, path, undefined);
  const above = path.slice(0, -1);
  const isEmpty = above.length > 0 && after !== text && spanAt(after, above)?.members.length === 0;
  return isEmpty ? removeFromJson(after, above) : after;
}

/** Places whose name an object has twice: the last one counts, which is seldom meant. */
export function repeatedIn(text: string): readonly KeyPath[] {
  return text.trim() === "" || !text.trimStart().startsWith("{") ? [] : repeated(text, text.indexOf("{"), []);
}

function repeated(text: string, from: number, above: KeyPath): readonly KeyPath[] {
  const { members } = readObject(text, from);
  const names = members.map(({ name }) => name);
  return members.flatMap(({ name, value }, at) => [
    ...(names.indexOf(name) < at ? [[...above, name]] : []),
    ...(text[value] === "{" ? repeated(text, value, [...above, name]) : []),
  ]);
}

/** How deep objects and lists are in each other. */
export function nestingOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = matchEnd(STRING, text, at) - 1;
    else if (text[at] === "{" || text[at] === "[") deepest = Math.max(deepest, ++depth);
    else if (text[at] === "}" || text[at] === "]") depth--;
  }
  return deepest;
}

interface Style {
  /** One step of it. */
  readonly indent: string;
  /** What ends a line. */
  readonly line: string;
}

function change(text: string, from: number, [step = "", ...rest]: KeyPath, value: unknown, style: Style): string {
  const span = readObject(text, from);
  // Of two with one name, the last counts.
  const member = span.members.findLast(({ name }) => name === step);
  if (value === undefined && rest.length === 0) return without(text, span, step);
  if (member === undefined) return value === undefined ? text : added(text, span, [step, wrapped(rest, value)], style);
  if (rest.length > 0 && text[member.value] === "{") return change(text, member.value, rest, value, style);
  if (value === undefined) return text;
  const margin = marginAt(text, member.from);
  return splice(text, member.value, member.to, toText(wrapped(rest, value), margin, style));
}

function wrapped(path: KeyPath, value: unknown): unknown {
  return path.reduceRight((inner, step) => Object.fromEntries([[step, inner]]), value);
}

function added(text: string, span: Span, [name, value]: readonly [string, unknown], style: Style): string {
  const last = span.members.at(-1);
  const outer = marginAt(text, span.from);
  if (last === undefined) {
    const margin = outer + style.indent;
    const inner = `${style.line}${margin}${JSON.stringify(name)}: ${toText(value, margin, style)}${style.line}${outer}`;
    return splice(text, span.from + 1, span.to - 1, inner);
  }
  const isOneLine = !text.slice(span.from, last.from).includes("\n");
  const margin = isOneLine ? outer : marginAt(text, last.from);
  const gap = isOneLine ? " " : `${style.line}${margin}`;
  const member = `${JSON.stringify(name)}: ${isOneLine ? JSON.stringify(value) : toText(value, margin, style)}`;
  return splice(text, last.to, last.to, `,${gap}${member}`);
}

/** With the comma that parted it from its neighbour. */
function without(text: string, { from, to, members }: Span, name: string): string {
  const at = members.findLastIndex((member) => member.name === name);
  if (at < 0) return text;
  const [before, own, after] = [members[at - 1], members[at], members[at + 1]];
  if (own === undefined) return text;
  const left =
    before !== undefined
      ? splice(text, before.to, own.to, "")
      : after !== undefined
        ? splice(text, own.from, after.from, "")
        : splice(text, from + 1, to - 1, "");
  return without(left, readObject(left, from), name);
}

function toText(value: unknown, margin: string, { indent, line }: Style): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", `${line}${margin}`);
}

/** The blanks its line begins with. */
function marginAt(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

interface Member {
  readonly name: string;
  /** Where its name begins, where its value begins, and where that ends. */
  readonly from: number;
  readonly value: number;
  readonly to: number;
}

/** An object from its brace to behind the other. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly members: readonly Member[];
}

function spanAt(text: string, path: KeyPath): Span | undefined {
  let from: number | undefined = text.indexOf("{");
  for (const step of path) {
    if (from === undefined || text[from] !== "{") return undefined;
    from = readObject(text, from).members.findLast(({ name }) => name === step)?.value;
  }
  return from === undefined || text[from] !== "{" ? undefined : readObject(text, from);
}

function readObject(text: string, from: number): Span {
  const members: Member[] = [];
  let at = skipBlank(text, from + 1);
  while (at < text.length && text[at] !== "}") {
    const nameEnd = skipValue(text, at);
    const value = skipBlank(text, skipBlank(text, nameEnd) + 1);
    const to = skipValue(text, value);
    members.push({ name: JSON.parse(text.slice(at, nameEnd)) as string, from: at, value, to });
    at = skipBlank(text, to);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return { from, to: at + 1, members };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /[^\s,\]}]+/y;

function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first !== "{" && first !== "[") return matchEnd(first === '"' ? STRING : WORD, text, from);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') at = matchEnd(STRING, text, at) - 1;
    else if (text[at] === "{" || text[at] === "[") depth++;
    else if ((text[at] === "}" || text[at] === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : text.length;
}
