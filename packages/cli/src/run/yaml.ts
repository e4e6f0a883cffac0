// The part of YAML that run specs are written in: maps and lists by indentation, plain and quoted texts, block texts,
// lists and maps in brackets on one line, comments. Anchors, tags and everything else is refused, never guessed.

import { readFlow } from "./yaml-flow.ts";

export type ParsedYaml =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "refused"; readonly problem: string };

export function parseYaml(text: string): ParsedYaml {
  if (text.length > MAX_CHARS) return { type: "refused", problem: "it is too long" };
  try {
    const reader = new Reader(text);
    return { type: "value", value: reader.document() };
  } catch (cause) {
    if (cause instanceof YamlProblem) return { type: "refused", problem: cause.message };
    throw cause;
  }
}

const MAX_CHARS = 1_000_000;
const MAX_DEPTH = 50;

class YamlProblem extends Error {}

interface Line {
  readonly number: number;
  readonly indent: number;
  /** Without the indent; comments are still there. */
  readonly text: string;
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/).map((raw, index) => {
      const indent = /^ */.exec(raw)?.[0].length ?? 0;
      return { number: index + 1, indent, text: raw.slice(indent) };
    });
  }

  document(): unknown {
    const first = this.#peek();
    if (first?.text.trimEnd() === "---") this.#at++;
    const value = this.#block(0, 0);
    const rest = this.#peek();
    if (rest !== undefined) this.#refuse(rest, "it does not belong to what is above it");
    return value;
  }

  /** Whatever begins at the next line, if that is indented far enough. */
  #block(indent: number, depth: number): unknown {
    const line = this.#peek();
    if (line === undefined || line.indent < indent) return null;
    if (depth > MAX_DEPTH) this.#refuse(line, "it is nested too deep");
    if (isItem(line.text)) return this.#list(line.indent, depth);
    if (keyOf(line.text) !== undefined) return this.#map(line.indent, depth);
    this.#at++;
    return this.#scalar(line, line.text);
  }

  #list(indent: number, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let line = this.#peek(); line?.indent === indent && isItem(line.text); line = this.#peek()) {
      const rest = line.text.slice(1).trimStart();
      const inner = indent + line.text.length - rest.length;
      if (rest === "" || rest.startsWith("#")) {
        this.#at++;
        list.push(this.#block(indent + 1, depth + 1));
      } else if (isItem(rest) || keyOf(rest) !== undefined) {
        // What follows the dash is the first line of a block of its own.
        list.push(this.#inner({ ...line, indent: inner, text: rest }, depth + 1));
      } else {
        this.#at++;
        list.push(this.#value(line, rest, indent, depth));
      }
    }
    return list;
  }

  #inner(line: Line, depth: number): unknown {
    (this.#lines as Line[])[this.#at] = line;
    return this.#block(line.indent, depth);
  }

  #map(indent: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let line = this.#peek(); line?.indent === indent && !isItem(line.text); line = this.#peek()) {
      const found = keyOf(line.text);
      if (found === undefined) this.#refuse(line, "it is not NAME: VALUE");
      const { key, rest } = found;
      if (Object.hasOwn(map, key)) this.#refuse(line, `"${key}" is there twice`);
      if (key === "__proto__") this.#refuse(line, "this name cannot be used");
      this.#at++;
      map[key] = this.#value(line, rest, indent, depth);
    }
    return map;
  }

  /** What follows a name or a dash on its line, or below it. */
  #value(line: Line, rest: string, indent: number, depth: number): unknown {
    const block = /^([|>])([+-]?)\s*(?:#.*)?$/.exec(rest);
    if (block !== null) return this.#blockText(indent, block[1] === ">", block[2] ?? "");
    if (rest !== "" && !rest.startsWith("#")) return this.#scalar(line, rest);
    const next = this.#peek();
    if (next === undefined) return null;
    // A list may stand as far left as the name it belongs to.
    if (next.indent === indent && isItem(next.text) && !isItem(line.text)) return this.#list(indent, depth + 1);
    return next.indent > indent ? this.#block(indent + 1, depth + 1) : null;
  }

  #blockText(parent: number, isFolded: boolean, chomp: string): string {
    const lines: string[] = [];
    let indent: number | undefined;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] as Line;
      const isBlank = line.text.trim() === "";
      if (!isBlank && line.indent <= parent) break;
      if (!isBlank) indent ??= line.indent;
      if (!isBlank && line.indent < (indent ?? 0))
        this.#refuse(line, "it is indented less than the text it belongs to");
      lines.push(isBlank && line.indent <= (indent ?? 0) ? "" : " ".repeat(line.indent - (indent ?? 0)) + line.text);
    }
    const filled = lines.findLastIndex((line) => line !== "") + 1;
    const body = lines.slice(0, filled).join("\n");
    const text = isFolded ? body.replace(/([^\n])\n(?!\n| )/g, "$1 ").replace(/\n\n/g, "\n") : body;
    const trailing = lines.length - filled;
    return chomp === "-" || body === "" ? text : chomp === "+" ? text + "\n".repeat(trailing + 1) : `${text}\n`;
  }

  #scalar(line: Line, text: string): unknown {
    return readFlow(text, (problem) => this.#refuse(line, problem));
  }

  #peek(): Line | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] as Line;
      if (line.text.startsWith("\t")) this.#refuse(line, "it is indented with a tab");
      if (line.text.trim() !== "" && !line.text.startsWith("#")) return line;
    }
    return undefined;
  }

  #refuse(line: Line, problem: string): never {
    throw new YamlProblem(`line ${line.number}: ${problem}`);
  }
}

function isItem(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

/** `name: rest`, where the name is plain or quoted. A long line that is none is soon seen to be none. */
function keyOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const [, double, single, plain, rest = ""] =
    /^(?:"([^"\\]*)"|'([^']*)'|([A-Za-z_][\w .-]{0,99}?))\s*:(?:\s+(.*)|)$/.exec(text) ?? [];
  const key = double ?? single ?? plain;
  return key === undefined ? undefined : { key, rest: rest.trim() };
}
