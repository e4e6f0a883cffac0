// Expands a parsed shell word into fields: quotes, escapes, braces, `~`, known variables and known outputs. Runs nothing.

import type { ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import { type Field, HOME, ONE, STAR, UNKNOWN, unmark } from "./field.ts";

/** What an expansion needs to know, and whom it tells about what it meets. */
export interface Expander {
  /** Values a variable may have, as shapes; nothing when it is not known. */
  lookup(name: string): readonly string[] | undefined;
  /** Meets a script in `$(…)`, backticks or `<(…)`; answers its output, where the text tells. */
  output(script: ParsedScript | undefined): string | undefined;
  /** Meets a node that may hold scripts deeper down. */
  visit(node: SyntaxNode): void;
  /** Reads the words of a piece of source, for braces. */
  words(source: string): readonly Word[];
  /** Meets an expansion that may itself run what it expands: arithmetic on names, `${x@P}`, `${!x}`. */
  evaluates(): void;
  /** Meets something that other shells read as other commands. */
  disputed(): void;
}

/** A stretch of a word. Unquoted expansions are split at blanks. */
interface Run {
  readonly shape: string;
  readonly split: boolean;
  readonly sure: boolean;
  readonly quoted: boolean;
  readonly output?: string | undefined;
}

const MAX_ALTERNATIVES = 256;
const MAX_BRACES = 64;

/** Each alternative is the list of fields the word may become: one, none, or several. Never empty. */
export function expandWord(word: Word, expander: Expander): readonly (readonly Field[])[] {
  const everyArgument = allArguments(word, expander);
  if (everyArgument !== undefined) return [everyArgument];
  const parts = word.parts;
  if (parts?.some((part) => part.type === "BraceExpansion")) return [expandBraces(word, expander)];
  return alternatives(runsOf(word, parts, expander)).map(toFields);
}

/** The word as one value, not split: in assignments, here-strings and redirections. */
export function expandValue(word: Word, expander: Expander): readonly Field[] {
  return alternatives(runsOf(word, word.parts, expander)).map((runs) => joined(runs));
}

/** Parts of a here-document's body, as one value. */
export function expandBody(parts: readonly WordPart[], expander: Expander): readonly Field[] {
  return alternatives(parts.map((part) => runsOfPart(part, { quoted: true }, expander))).map((runs) => joined(runs));
}

/** `"$@"` and `"${list[@]}"` stand for all of it at once, not for one of it. */
function allArguments(word: Word, expander: Expander): readonly Field[] | undefined {
  const array = /^"?\$\{([A-Za-z_]\w*)\[[@*]\]\}"?$/.exec(word.text)?.[1];
  if (array === undefined && !/^"?\$(\{[@*]\}|[@*])"?$/.test(word.text)) return undefined;
  if (array !== undefined) expander.evaluates();
  return expander.lookup(array === undefined ? "@" : `${array}[@]`)?.map((shape) => ({ shape, sure: false }));
}

/** For each part of the word, the runs it may become. */
function runsOf(word: Word, parts: readonly WordPart[] | undefined, expander: Expander): (readonly Run[])[] {
  if (parts === undefined) return [[joinRuns(withTilde(word.text, word.value))]];
  return parts.map((part, index) =>
    index === 0 && part.type === "Literal"
      ? [joinRuns(withTilde(part.text, part.value))]
      : runsOfPart(part, { quoted: false }, expander),
  );
}

/** A word that begins with `~`, `~name` or `~/`, unquoted, begins with a home folder. */
function withTilde(text: string, value: string): Run[] {
  const tilde = /^~([A-Za-z0-9_.-]*)(?=\/|$)/.exec(text);
  if (tilde === null) return [plain(value)];
  const named = tilde[1] !== "";
  const home = {
    shape: named && /^[-+]/.test(tilde[1] ?? "") ? UNKNOWN : HOME,
    split: false,
    sure: !named,
    quoted: false,
  };
  return [home, plain(value.slice(tilde[0].length))];
}

function plain(text: string, quoted = false): Run {
  return { shape: unmark(text), split: false, sure: true, quoted };
}

function unknown(split: boolean): Run {
  return { shape: UNKNOWN, split, sure: false, quoted: !split };
}

/** The alternatives of one part. */
function runsOfPart(part: WordPart, { quoted }: { quoted: boolean }, expander: Expander): Run[] {
  const split = !quoted;
  switch (part.type) {
    case "Literal":
      return [plain(part.value, quoted)];
    case "SingleQuoted":
      return [plain(part.value, true)];
    case "AnsiCQuoted":
      if (part.text.includes("\\'")) expander.disputed();
      return [{ ...plain(part.value, true), sure: !part.text.includes("\\") }];
    case "DoubleQuoted":
    case "LocaleString":
      return alternatives(part.parts.map((child) => runsOfPart(child, { quoted: true }, expander))).map((runs) => ({
        ...joinRuns([plain("", true), ...runs]),
        split: false,
      }));
    case "Glob":
      expander.visit(part);
      return [{ ...plain(""), shape: part.kind === "star" ? STAR : ONE }];
    case "ExtendedGlob":
      expander.visit(part);
      expander.disputed();
      return [{ ...unknown(false), shape: STAR }];
    case "SimpleExpansion":
      return values(expander.lookup(part.text.slice(1)), split);
    case "ParameterExpansion":
      return runsOfParameter(part, split, expander);
    case "CommandExpansion": {
      const output = expander.output(part.script);
      return values(output === undefined ? undefined : [unmark(output.replace(/\n+$/, ""))], split);
    }
    case "ArithmeticExpansion":
      expandArithmetic(part, expander);
      return [unknown(split)];
    case "ProcessSubstitution":
      return [{ ...unknown(false), shape: `/dev/fd/${UNKNOWN}`, output: expander.output(part.script) }];
    case "BraceExpansion":
      expander.visit(part);
      return [{ ...unknown(false), shape: STAR }];
  }
}

function runsOfParameter(part: ParameterExpansionPart, split: boolean, expander: Expander): Run[] {
  const { operation, parameter, prefix, index } = part;
  if (operation?.type !== "Default") expander.visit(part);
  if (prefix === "!" || index !== undefined) expander.evaluates();
  if (prefix !== undefined || index !== undefined) return [unknown(split)];
  const known = values(expander.lookup(parameter), split);
  switch (operation?.type) {
    case undefined:
      return known;
    case "Default":
      if (operation.operator.includes("=")) expander.evaluates();
      return [...known, ...expandValue(operation.operand, expander).map(({ shape }) => ({ ...unknown(split), shape }))];
    case "Remove":
    case "Replace":
    case "CaseModification":
      return parameter === "HOME" || parameter === "IFS" ? known : [unknown(split)];
    case "Slice":
    case "Transform":
    case "Names":
    case "Unknown":
      expander.evaluates();
      return [unknown(split)];
  }
}

/** Only digits and signs are sure to run nothing: a name may hold `a[$(…)]`, which bash runs. */
function expandArithmetic(part: Extract<WordPart, { type: "ArithmeticExpansion" }>, expander: Expander): void {
  expander.visit(part);
  if (!/^[\d\s+*/%<>=!&|^~?:()$-]*$/.test(part.text)) expander.evaluates();
}

function values(shapes: readonly string[] | undefined, split: boolean): Run[] {
  if (shapes === undefined || shapes.length === 0) return [unknown(split)];
  return shapes.map((shape) => ({ ...unknown(split), shape }));
}

/** Every way to choose one run for each part; beyond the cap the rest is unknown. */
function alternatives(parts: readonly (readonly Run[])[]): Run[][] {
  let chosen: Run[][] = [[]];
  for (const part of parts) {
    const [only] = part.length === 1 || chosen.length * part.length > MAX_ALTERNATIVES ? part : [];
    if (only === undefined) chosen = chosen.flatMap((runs) => part.map((run) => [...runs, run]));
    else for (const runs of chosen) runs.push(part.length === 1 ? only : unknown(true));
  }
  return chosen;
}

function joinRuns(runs: readonly Run[]): Run {
  return {
    shape: runs.map((run) => run.shape).join(""),
    split: false,
    sure: runs.every((run) => run.sure),
    quoted: runs.some((run) => run.quoted),
    output: runs.find((run) => run.output !== undefined)?.output,
  };
}

function joined(runs: readonly Run[]): Field {
  const { shape, sure, output } = joinRuns(runs);
  return { shape, sure, ...(output !== undefined && { output }) };
}

/** Splits at the blanks of unquoted expansions, as the shell does. */
function toFields(runs: readonly Run[]): Field[] {
  const groups: Run[][] = [[]];
  for (const run of runs) {
    const pieces = run.split ? run.shape.split(/[ \t\n]+/) : [run.shape];
    for (const [index, shape] of pieces.entries()) {
      if (index > 0) groups.push([]);
      if (shape !== "" || run.quoted) groups.at(-1)?.push({ ...run, shape });
    }
  }
  const sure = runs.every((run) => run.sure);
  return groups.filter((group) => group.length > 0).map((group) => ({ ...joined(group), sure }));
}

/** Braces are expanded as text, before anything else; so they are here. Too many, and `{1..9}`, may be anything. */
function expandBraces(word: Word, expander: Expander): Field[] {
  let done: Word[] = [];
  let open: Word[] = [word];
  for (let rounds = 0; open.length > 0; rounds += 1) {
    if (done.length + open.length > MAX_BRACES || rounds > MAX_BRACES) return [anythingAfter(word)];
    const [first, ...others] = open as [Word, ...Word[]];
    const brace = first.parts?.find((part) => part.type === "BraceExpansion");
    const choices = brace === undefined ? undefined : splitBraces(brace.text);
    if (brace !== undefined && choices !== undefined) {
      const before = first.text.slice(0, brace.pos - first.pos);
      const after = first.text.slice(brace.end - first.pos);
      open = [...choices.flatMap((choice) => expander.words(before + choice + after)), ...others];
    } else {
      done = [...done, first];
      open = others;
    }
  }
  return done.flatMap((piece) => alternatives(runsOf(piece, piece.parts, expander)).flatMap(toFields)).map(unsure);
}

function anythingAfter(word: Word): Field {
  return { shape: `${unmark(word.text.slice(0, word.text.indexOf("{")))}${STAR}`, sure: false };
}

function unsure(field: Field): Field {
  return { ...field, sure: false };
}

/** The choices between the outer commas; nothing for a sequence. */
function splitBraces(text: string): string[] | undefined {
  const choices = [""];
  let depth = 0;
  let quote = "";
  for (let at = 1; at < text.length - 1; at += 1) {
    const char = text.charAt(at);
    if (char === "\\" && quote !== "'") {
      choices[choices.length - 1] += char + text.charAt(++at);
      continue;
    }
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "{" || char === "(") depth += 1;
    else if (char === "}" || char === ")") depth -= 1;
    if (char === "," && depth === 0 && quote === "") choices.push("");
    else choices[choices.length - 1] += char;
  }
  return choices.length > 1 ? choices : undefined;
}
