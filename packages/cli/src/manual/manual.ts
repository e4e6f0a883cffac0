// What a command says about itself, as data: its help, its parser and completion are made from the same words.

import type { Command, Operand, Option, Subcommand } from "../command/command.ts";
import { wrap } from "./wrap.ts";

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
  return {
    help: toHelp(manual),
    options: [...(manual.options ?? []), helpOption],
    ...(subcommands !== undefined && { subcommands }),
    ...(operand !== undefined && { operand }),
    run: async (args, io) => {
      io.stdout.on("error", unlessGone);
      if (!asksForHelp(args)) return run(args, io);
      io.stdout.write(toHelp(manual));
      return 0;
    },
  };
}

/** Whoever reads may go away in the middle: `agentao sessions list | head`. */
function unlessGone(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "EPIPE") throw cause;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}

function toHelp({ name, title, about, options = [], examples, exitCodes, ...manual }: Manual): string {
  const subcommands = manual.subcommands ?? [];
  const usage = manual.usage ?? subcommands.map((one) => `${one.name} ${one.usage}`.trimEnd());
  const sections = [
    `agentao ${name}: ${title}`,
    section(
      "Usage",
      usage.map((line) => `  agentao ${name} ${line}`.trimEnd()),
    ),
    ...about.map((paragraph) => wrap(paragraph, WIDTH).join("\n")),
    ...(subcommands.length === 0 ? [] : [section("Commands", toRows(subcommands.map((o) => [o.name, o.summary])))]),
    ...subcommands
      .filter((one) => one.options.length > 0)
      .map((one) => section(`Options of ${one.name}`, toRows(one.options.map(toRow)))),
    section("Options", toRows([...options, helpOption].map(toRow))),
    section(
      "Examples",
      examples.flatMap(([command, what]) => [`  ${command}`, ...wrap(what, WIDTH - 6).map((line) => `      ${line}`)]),
    ),
    section("Exit codes", toRows(exitCodes.map(([code, meaning]) => [String(code), meaning]))),
  ];
  return `${sections.join("\n\n")}\n`;
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
