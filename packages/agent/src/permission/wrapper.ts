// Programs whose only business is to run another one: how their own words end and where the other's begin.

import { type Field, textOf } from "./field.ts";
import { type Grammar, WRAPPERS } from "./wrapper-grammar.ts";

export interface Unwrapped {
  readonly name: string;
  /** What it may run: one command, or several where an option is not known to take a value. */
  readonly commands: readonly (readonly Field[])[];
  /** Text it gives to a shell. */
  readonly texts: readonly Field[];
  readonly assignments: readonly { readonly name: string; readonly value: Field }[];
  /** All its words were understood. */
  readonly certain: boolean;
}

/** Takes one wrapper off. Nothing when `program` is none. */
export function unwrap(program: string, argv: readonly Field[]): Unwrapped | undefined {
  const grammar = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (grammar === undefined) return undefined;
  if (grammar.subcommand === undefined) return read(program, grammar, argv.slice(1));
  const word = textOf(argv[1]);
  if (word === undefined || !grammar.subcommand.includes(word)) return undefined;
  return read(`${program} ${word}`, grammar, argv.slice(2));
}

function read(name: string, grammar: Grammar, words: readonly Field[]): Unwrapped {
  const texts: Field[] = [];
  const assignments: { name: string; value: Field }[] = [];
  const others: (readonly Field[])[] = [];
  let operands = grammar.operands ?? 0;
  let certain = true;
  let at = 0;
  for (; at < words.length; at += 1) {
    const field = words[at] as Field;
    const word = textOf(field);
    if (word === "--") {
      at += 1;
      break;
    }
    if (word !== undefined && /^-./.test(word)) {
      const option = readOption(word, grammar);
      if (option.text !== undefined)
        texts.push(option.text === "" ? (words[++at] ?? field) : { ...field, shape: option.text });
      else if (option.type === "value") at += 1;
      else if (option.type === "strange") {
        certain = false;
        // It may take the next word as its value.
        const next = at + 2 + operands;
        if (startsCommand(words[next])) others.push(words.slice(next));
      }
      continue;
    }
    const assignment = grammar.assignments ? /^([A-Za-z_]\w*)=/.exec(field.shape) : null;
    if (assignment !== null) {
      const value = { ...field, shape: field.shape.slice(assignment[0].length) };
      assignments.push({ name: assignment[1] as string, value });
    } else if (operands > 0) {
      operands -= 1;
    } else if (word === undefined && field.shape.length === 1) {
      // A variable alone may be an option, the program, or nothing.
      certain = false;
      others.push(words.slice(at + 1));
      break;
    } else if (word === "-" || (word !== undefined && grammar.optional?.test(word))) {
      // Its own.
    } else break;
  }
  if (operands > 0) at += operands;
  const rest = words.slice(at);
  if (grammar.mixed && texts.length === 0) texts.push(...textAmong(rest, grammar));
  if (grammar.joins && rest.length > 0) {
    texts.push({ shape: rest.map((field) => field.shape).join(" "), sure: rest.every((field) => field.sure) });
  }
  const told = texts.length > 0 && !grammar.mixed ? [] : [rest];
  return { name, commands: [...told, ...others].filter((command) => command.length > 0), texts, assignments, certain };
}

function startsCommand(field: Field | undefined): boolean {
  return field !== undefined && !field.shape.startsWith("-");
}

interface Option {
  readonly type: "flag" | "value" | "strange";
  /** The text for a shell; empty when it is the next word. */
  readonly text?: string;
}

function readOption(word: string, grammar: Grammar): Option {
  const { flags = "", values = "", longFlags = [], longValues = [], text = [] } = grammar;
  if (word.startsWith("--")) {
    const [name = "", value] = splitOnce(word.slice(2), "=");
    if (name.length > 2 && text.some((known) => known.length > 1 && known.startsWith(name))) {
      return { type: "flag", text: value ?? "" };
    }
    if (value !== undefined || longFlags.includes(name)) return { type: "flag" };
    return { type: longValues.includes(name) ? "value" : "strange" };
  }
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    if (text.includes(letter)) return { type: "flag", text: word.slice(at + 1) };
    if (values.includes(letter)) return { type: at === word.length - 1 ? "value" : "flag" };
    if (!flags.includes(letter)) return { type: "strange" };
  }
  return { type: "flag" };
}

/** `su root -c '…'`, `flock file -c '…'`: an option after operands. */
function textAmong(rest: readonly Field[], grammar: Grammar): Field[] {
  return rest.flatMap((field, at) => {
    const word = textOf(field);
    if (word === undefined || !/^-./.test(word)) return [];
    const { text } = readOption(word, grammar);
    if (text === undefined) return [];
    const next = rest[at + 1];
    return text === "" ? (next === undefined ? [] : [next]) : [{ ...field, shape: text }];
  });
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
