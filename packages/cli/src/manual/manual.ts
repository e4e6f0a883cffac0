// What a command says about itself, as data: its help, its parser and completion are made from the same words.

import { fill, wrap } from "../text/wrap.ts";
import type { Command, Operand, Option, Subcommand } from "./command.ts";

export interface Manual {
  readonly name: string;
  /** What it is for, in half a line. */
  readonly title: string;
  /** What follows the name on the command line; that of the subcommands where there are some. */
  readonly usage?: readonly string[] | undefined;
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly subcommands?: readonly Subcommand[] | undefined;
  /** Of the command itself, or of all its subcommands. */
  readonly options?: readonly Option[] | undefined;
  readonly operand?: Operand | undefined;
  readonly examples: readonly (readonly [command: string, what: string])[];
  readonly exitCodes: readonly (readonly [code: number, meaning: string])[];
}

const WIDTH = 100;

const helpOption: Option = { name: "--help", short: "-h", summary: "Show this." };

export function toCommand(manual: Manual, run: Command["run"]): Command {
  const { subcommands, operand } = manual;
  const helpOf = (name: string | undefined): string | undefined => {
    const subcommand = subcommands?.find((one) => one.name === name);
    return subcommand && toSubcommandHelp(manual, subcommand);
  };
  return {
    help: toHelp(manual),
    options: [...(manual.options ?? []), helpOption],
    ...(subcommands !== undefined && { subcommands }),
    ...(operand !== undefined && { operand }),
    helpOf: async (name) => helpOf(name),
    run: async (args, io) => {
      if (!asksForHelp(args)) return run(args, io);
      io.stdout.write(helpOf(args[0]) ?? toHelp(manual));
      return 0;
    },
  };
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}

function toHelp(manual: Manual): string {
  const { name, title, about, options = [], subcommands = [] } = manual;
  const usage = manual.usage ?? subcommands.map((one) => `${one.name} ${one.usage}`);
  return toPage([
    `agentao ${name}: ${title}`,
    usageSection(usage.map((line) => `agentao ${name} ${line}`)),
    ...about.map((paragraph) => wrap(paragraph, WIDTH).join("\n")),
    ...(subcommands.length === 0 ? [] : [section("Commands", toRows(subcommands.map((o) => [o.name, o.summary])))]),
    ...subcommands
      .filter((one) => one.options.length > 0)
      .map((one) => section(`Options of ${one.name}`, toRows(one.options.map(toRow)))),
    section("Options", toRows([...options, helpOption].map(toRow))),
    examplesSection(manual.examples),
    exitCodesSection(manual),
  ]);
}

/** One part of a command: what is its own, and where the rest is. */
function toSubcommandHelp(manual: Manual, { name, usage, summary, options }: Subcommand): string {
  const whole = `agentao ${manual.name} ${name}`;
  const examples = manual.examples.filter(([command]) => `${command} `.includes(`${whole} `));
  return toPage([
    wrap(`${whole}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`, WIDTH).join("\n"),
    usageSection([`${whole} ${usage}`]),
    section("Options", toRows([...options, helpOption].map(toRow))),
    ...(examples.length === 0 ? [] : [examplesSection(examples)]),
    exitCodesSection(manual),
    `"agentao ${manual.name} --help" says more.`,
  ]);
}

function toPage(sections: readonly string[]): string {
  return `${sections.join("\n\n")}\n`;
}

/** A line that is too long goes on below, a step further in; what is in brackets stays together. */
function usageSection(lines: readonly string[]): string {
  const parts = (line: string): string[] => line.trim().match(/\[[^\]]*\]\S*|\S+/g) ?? [];
  return section(
    "Usage",
    lines.flatMap((line) => fill(parts(line), WIDTH - 6).map((part, at) => `${at === 0 ? "  " : "      "}${part}`)),
  );
}

function examplesSection(examples: Manual["examples"]): string {
  return section(
    "Examples",
    examples.flatMap(([command, what]) => [`  ${command}`, ...wrap(what, WIDTH - 6).map((line) => `      ${line}`)]),
  );
}

function exitCodesSection({ exitCodes }: Manual): string {
  return section("Exit codes", toRows(exitCodes.map(([code, meaning]) => [String(code), meaning])));
}

/** `-h, --help`, `--format FORMAT`. */
function optionWords({ name, short, value }: Option): string {
  return `${short === undefined ? "" : `${short}, `}${name}${value === undefined ? "" : ` ${value}`}`;
}

export function toRow(option: Option): readonly [string, string] {
  const { choices, summary } = option;
  return [optionWords(option), choices === undefined ? summary : `${summary} One of ${choices.join(", ")}.`];
}

/** Two columns; the second is wrapped. */
export function toRows(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([words]) => words.length));
  return rows.flatMap(([words, text]) =>
    wrap(text, WIDTH - first - 4).map((line, at) => `  ${(at === 0 ? words : "").padEnd(first)}  ${line}`),
  );
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines].join("\n");
}
