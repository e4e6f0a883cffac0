// Regular expressions from files, without the ability to hang us. A pattern is a graph, and matching asks whether the
// end can be reached; no place is visited twice, so the time is bounded by pattern × input whatever either says.
// Python's spelling is understood where it differs. Back references and looking behind are refused.

import { type Node, readPattern } from "./pattern-syntax.ts";

/** Longer patterns are refused. */
export const MAX_PATTERN_CHARS = 512;
/** Repetitions are written out; a pattern that grows beyond this is refused. */
const MAX_STEPS_IN_PATTERN = 2_000;
/** Places visited in one match; beyond it the answer is "undecided". */
export const MAX_VISITS = 500_000;

export interface Pattern {
  readonly source: string;
  /** "undecided" when it would take too long to say. */
  test(input: string): boolean | "undecided";
}

type ParsedPattern =
  | { readonly type: "pattern"; readonly pattern: Pattern }
  | { readonly type: "refused"; readonly problem: string };

/** `whole`: the input from beginning to end; `search`: anywhere in it. */
export function parsePattern(source: string, scope: "whole" | "search"): ParsedPattern {
  if (source.length > MAX_PATTERN_CHARS) return refused(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const read = readPattern(source);
  if (read.type === "refused") return read;
  const program: Step[] = [];
  if (!compile(read.node, program)) return refused("it repeats too much");
  program.push({ type: "match", whole: scope === "whole" });
  return { type: "pattern", pattern: { source, test: (input) => matches(program, input, scope) } };
}

/** Equal, and nothing else: what is left of a pattern that cannot be read. */
export function literalPattern(source: string): Pattern {
  return { source, test: (input) => input === source };
}

function refused(problem: string): ParsedPattern {
  return { type: "refused", problem };
}

type Step =
  | { readonly type: "char"; readonly test: (code: number) => boolean }
  | { readonly type: "split"; readonly first: number; readonly second: number }
  | { readonly type: "assert"; readonly test: (input: string, at: number) => boolean }
  | { readonly type: "look"; readonly program: readonly Step[]; readonly negated: boolean }
  | { readonly type: "match"; readonly whole: boolean };

/** Appends the steps of a node; false when they become too many. */
function compile(node: Node, program: Step[]): boolean {
  if (program.length > MAX_STEPS_IN_PATTERN) return false;
  switch (node.type) {
    case "char":
      program.push({ type: "char", test: node.test });
      return true;
    case "assert":
      program.push({ type: "assert", test: node.test });
      return true;
    case "sequence":
      return node.items.every((item) => compile(item, program));
    case "choice":
      return compileChoice(node.options, program);
    case "repeat":
      return compileRepeat(node, program);
    case "look": {
      const inner: Step[] = [];
      const fits = compile(node.item, inner);
      inner.push({ type: "match", whole: false });
      program.push({ type: "look", program: inner, negated: node.negated });
      return fits;
    }
  }
}

function compileChoice(options: readonly Node[], program: Step[]): boolean {
  const [first, ...others] = options;
  if (first === undefined) return true;
  if (others.length === 0) return compile(first, program);
  const fork = program.length;
  program.push({ type: "split", first: fork + 1, second: 0 });
  const left = compile(first, program);
  const exit = program.length;
  program.push({ type: "split", first: 0, second: 0 });
  program[fork] = { type: "split", first: fork + 1, second: program.length };
  const right = compileChoice(others, program);
  program[exit] = { type: "split", first: program.length, second: program.length };
  return left && right;
}

function compileRepeat({ item, min, max }: Extract<Node, { type: "repeat" }>, program: Step[]): boolean {
  for (let count = 0; count < min; count += 1) if (!compile(item, program)) return false;
  if (max === undefined) {
    const fork = program.length;
    program.push({ type: "split", first: 0, second: 0 });
    if (!compile(item, program)) return false;
    program.push({ type: "split", first: fork, second: fork });
    program[fork] = { type: "split", first: fork + 1, second: program.length };
    return true;
  }
  const forks: number[] = [];
  for (let count = min; count < max; count += 1) {
    forks.push(program.length);
    program.push({ type: "split", first: 0, second: 0 });
    if (!compile(item, program)) return false;
  }
  for (const fork of forks) program[fork] = { type: "split", first: fork + 1, second: program.length };
  return true;
}

function matches(program: readonly Step[], input: string, scope: "whole" | "search"): boolean | "undecided" {
  if (program.length * (input.length + 1) > MAX_VISITS) return "undecided";
  const budget = { visits: MAX_VISITS };
  const last = scope === "whole" ? 0 : input.length;
  const seen = bits(program.length * (input.length + 1));
  for (let start = 0; start <= last; start += 1) {
    const found = reaches(program, input, start, seen, budget);
    if (found !== false) return found;
  }
  return false;
}

interface Places {
  has(place: number): boolean;
  add(place: number): void;
}

function bits(size: number): Places {
  const bytes = new Uint8Array((size >> 3) + 1);
  return {
    has: (place) => ((bytes[place >> 3] as number) & (1 << (place & 7))) !== 0,
    add: (place) => {
      bytes[place >> 3] = (bytes[place >> 3] as number) | (1 << (place & 7));
    },
  };
}

/** `seen` holds places from which the end is known not to be reachable; it may be shared between starts. */
function reaches(
  program: readonly Step[],
  input: string,
  start: number,
  seen: Places,
  budget: { visits: number },
): boolean | "undecided" {
  const width = input.length + 1;
  const open = [start];
  while (open.length > 0) {
    const place = open.pop() as number;
    if (seen.has(place)) continue;
    seen.add(place);
    if (--budget.visits < 0) return "undecided";
    const index = Math.floor(place / width);
    const at = place % width;
    const step = program[index] as Step;
    switch (step.type) {
      case "match":
        if (!step.whole || at === input.length) return true;
        break;
      case "char":
        if (at < input.length && step.test(input.charCodeAt(at))) open.push(place + width + 1);
        break;
      case "split":
        open.push(step.second * width + at, step.first * width + at);
        break;
      case "assert":
        if (step.test(input, at)) open.push(place + width);
        break;
      case "look": {
        const found = reaches(step.program, input, at, new Set<number>(), budget);
        if (found === "undecided") return found;
        if (found !== step.negated) open.push(place + width);
        break;
      }
    }
  }
  return false;
}
