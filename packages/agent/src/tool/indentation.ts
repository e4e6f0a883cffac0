// Indentation as a model wrote it, to the one a file has. What stands for what is learned from the lines both have.

/** A line as it was written, and as it actually is. */
export interface IndentPair {
  readonly written: string;
  readonly actual: string;
}

export interface Indentation {
  /**
   * The line in the file's indentation. `instead` is the pair it replaces, where it replaces one. Nothing when it could
   * belong at several depths.
   */
  adjust(line: string, instead: IndentPair | undefined): string | undefined;
}

/** `text` is the file, `written` all that the model wrote. */
export function learnIndentation(
  lines: readonly IndentPair[],
  { textUnit, written }: { readonly textUnit: string | undefined; readonly written: string },
): Indentation {
  const pairs = withoutStrippedHead(lines.filter((line) => line.written.trim() !== "").map(toIndents));
  const unit = textUnit ?? indentUnitOf(written) ?? "  ";
  const writtenUnit = unitByPairs(pairs, unit) ?? commonUnitOf(written) ?? unit;

  return {
    adjust(line, instead) {
      if (line.trim() === "") return line;
      const indent = indentOf(line);
      const pair = bestPair(indent, pairs, instead && toIndents(instead));
      if (pair === "several") return undefined;
      return pair === undefined ? line : shifted(indent, pair, unit, writtenUnit) + line.slice(indent.length);
    },
  };
}

export function indentOf(line: string): string {
  return /^[\t \u00a0\u3000]*/.exec(line)?.[0] ?? "";
}

/** One level of a text: a tab, or the step by which its lines are mostly indented. Nothing when none is. */
export function indentUnitOf(text: string): string | undefined {
  const steps = new Map<string, number>();
  let before = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    const step = indent.startsWith("\t") ? "\t" : indent.length > before ? " ".repeat(indent.length - before) : "";
    if (step !== "" && (step === "\t" || step.length > 1)) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indent.length;
  }
  return [...steps].sort(([a, often], [b, oftener]) => oftener - often || a.length - b.length)[0]?.[0];
}

/** Two lines, so many levels apart in the file, tell how much a level is in what the model wrote. */
function unitByPairs(pairs: readonly IndentPair[], unit: string): string | undefined {
  const byDepth = [...pairs].sort((a, b) => a.written.length - b.written.length);
  const [least, most] = [byDepth[0], byDepth.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const levels = (most.actual.length - least.actual.length) / unit.length;
  const width = (most.written.length - least.written.length) / levels;
  return Number.isInteger(levels) && Number.isInteger(width) && levels > 0 && width > 0
    ? most.written.slice(0, width)
    : undefined;
}

/** The largest step of which all lines are multiples. */
function commonUnitOf(text: string): string | undefined {
  const indents = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(indentOf);
  const width = indents.reduce((common, { length }) => greatestCommonDivisor(common, length), 0);
  const deepest = indents.reduce((a, b) => (b.length > a.length ? b : a), "");
  return width > 1 || (width === 1 && deepest.startsWith("\t")) ? deepest.slice(0, width) : indentUnitOf(text);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function toIndents({ written, actual }: IndentPair): IndentPair {
  return { written: indentOf(written), actual: indentOf(actual) };
}

/** Models often begin a passage at its first word. Where the other lines agree, the first one teaches nothing. */
function withoutStrippedHead(pairs: readonly IndentPair[]): readonly IndentPair[] {
  const [first, ...rest] = pairs;
  const shifts = new Set(rest.map(shiftOf));
  return first !== undefined && shifts.size === 1 && !shifts.has(shiftOf(first)) && first.written === "" ? rest : pairs;
}

function shiftOf({ written, actual }: IndentPair): string {
  return actual.endsWith(written) ? actual.slice(0, actual.length - written.length) : `${written}|${actual}`;
}

/** The line it replaces where that fits, then one that is written alike, then the closest that is not deeper, then any. */
function bestPair(indent: string, pairs: readonly IndentPair[], instead: IndentPair | undefined) {
  if (instead?.written === indent) return instead;
  const byDepth = [...pairs].sort((a, b) => b.written.length - a.written.length);
  const closest = byDepth.find(({ written }) => indent.startsWith(written)) ?? byDepth.at(-1);
  const actual = new Set(pairs.filter(({ written }) => written === closest?.written).map((pair) => pair.actual));
  return actual.size > 1 ? "several" : closest;
}

function shifted(indent: string, { written, actual }: IndentPair, unit: string, writtenUnit: string): string {
  if (indent.startsWith(written)) return actual + converted(indent.slice(written.length), unit, writtenUnit);
  const less = converted(written.slice(indent.length), unit, writtenUnit);
  return actual.endsWith(less) ? actual.slice(0, actual.length - less.length) : indent;
}

/** Whole levels are the file's levels; what is no whole level stays. */
function converted(extra: string, unit: string, writtenUnit: string): string {
  if (unit === writtenUnit || !isRepeated(extra, writtenUnit)) return extra;
  return unit.repeat(extra.length / writtenUnit.length);
}

function isRepeated(text: string, unit: string): boolean {
  return unit !== "" && text === unit.repeat(text.length / unit.length) && text.length % unit.length === 0;
}
