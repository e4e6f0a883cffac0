// The words of a command line, by the options a manual names. What it does not know is a `UsageError` with a hint.

import { parseArgs } from "node:util";
import { didYouMean } from "../text/nearest.ts";
import type { Option, Subcommand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export interface Words {
  /** By the whole name; `true` for those without a value. */
  readonly options: Readonly<Record<string, string | true | undefined>>;
  readonly operands: readonly string[];
}

export function parseWords(args: readonly string[], options: readonly Option[]): Words {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options.map((option) => [option.name.slice(2), toParsed(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, string | true> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => name === `--${token.name}`);
    if (option === undefined) throw new UsageError(unknown(token.rawName, options));
    given[option.name] = readValue(option, token.value, token.inlineValue === true);
  }
  return { options: given, operands };
}

/** The value of an option that has one. */
export function textOf({ options }: Words, name: `--${string}`): string | undefined {
  const value = options[name];
  return value === true ? undefined : value;
}

/** A whole number. */
export function countOf(words: Words, name: `--${string}`): number | undefined {
  const text = textOf(words, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`${name} needs a whole number`);
  return Number(text);
}

/** Options of which only one can be given. */
export function onlyOne({ options }: Words, ...names: readonly `--${string}`[]): void {
  const given = names.filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new UsageError(`${given.join(" and ")} exclude each other`);
}

/** The words of a command that does something without a subcommand. */
export function withDefault(subcommand: string, args: readonly string[]): readonly string[] {
  const [first] = args;
  return first === undefined || first.startsWith("-") ? [subcommand, ...args] : args;
}

/** Which subcommand is meant, and what follows it. */
export function chooseSubcommand(
  command: string,
  [name, ...rest]: readonly string[],
  subcommands: readonly Subcommand[],
): { readonly name: string; readonly words: Words; readonly subcommand: Subcommand } {
  const names = subcommands.map((one) => one.name);
  if (name === undefined) throw new UsageError(`${command} needs one of ${names.join(", ")}`);
  const subcommand = subcommands.find((one) => one.name === name);
  if (subcommand === undefined) throw new UsageError(`${command} has no "${name}"${didYouMean(name, names)}`);
  return { name, subcommand, words: parseWords(rest, subcommand.options) };
}

export function noOperands({ operands: [first] }: Words): void {
  if (first !== undefined) throw new UsageError(`unexpected argument "${first}"`);
}

export function oneOperand({ operands: [first, second] }: Words, what: string): string {
  if (first === undefined) throw new UsageError(`${what} is missing`);
  if (second !== undefined) throw new UsageError(`unexpected argument "${second}"`);
  return first;
}

function toParsed({ value, short }: Option): { type: "string" | "boolean"; short?: string } {
  return { type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short: short.slice(1) }) };
}

function readValue({ name, value, choices }: Option, given: string | undefined, isInline: boolean): string | true {
  if (value === undefined) {
    if (given !== undefined) throw new UsageError(`${name} takes no value`);
    return true;
  }
  const isMissing = given === undefined || given === "" || (!isInline && /^-./.test(given));
  if (isMissing) throw new UsageError(`${name} needs a value: ${name} ${value}`);
  if (choices !== undefined && !choices.includes(given)) {
    throw new UsageError(`${name} is one of ${choices.join(", ")}, not "${given}"${didYouMean(given, choices)}`);
  }
  return given;
}

function unknown(rawName: string, options: readonly Option[]): string {
  return `unknown option "${rawName}"${didYouMean(
    rawName,
    options.map(({ name }) => name),
  )}`;
}
