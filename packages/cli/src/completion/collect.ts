// What can be typed after `agentao`, from the table of commands. Commands that do not name their options are known by
// what their help lists.

import type { Command, CommandEntry, CommandTable, Operand, Option, Subcommand } from "../manual/command.ts";
import { programOptions } from "../program-help.ts";

/** One place on the command line: what can stand there. */
export interface Place {
  /** The words that lead here, `""` for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
  readonly options: readonly Option[];
  readonly operand?: Operand | undefined;
}

export async function collectWords(commands: CommandTable): Promise<readonly Place[]> {
  const places: Place[] = [
    {
      path: "",
      words: Object.entries(commands).map(([word, { summary }]) => ({ word, summary })),
      options: programOptions,
    },
  ];
  for (const [name, entry] of Object.entries(commands)) places.push(...toPlaces(name, await entry.load(), entry));
  return Object.hasOwn(commands, "help") ? [...places, ...helpPlaces(places)] : places;
}

function toPlaces(name: string, command: Command, { choices = {} }: CommandEntry): Place[] {
  const { help, options = optionsIn(help), subcommands = [], operand } = command;
  return [
    {
      path: name,
      words: subcommands.map((one) => ({ word: one.name, summary: one.summary })),
      options: options.map((option) => ({ ...(choices[option.name] && { choices: choices[option.name] }), ...option })),
      operand,
    },
    ...subcommands.flatMap((one) => subcommandPlaces(name, one)),
  ];
}

function subcommandPlaces(command: string, { name, options, operand, operandAfter = {} }: Subcommand): Place[] {
  const path = `${command} ${name}`;
  return [
    { path, words: [], options, operand },
    ...Object.entries(operandAfter).map(([word, after]) => ({
      path: `${path} ${word}`,
      words: [],
      options,
      operand: after,
    })),
  ];
}

/** `agentao help COMMAND` is followed by what follows COMMAND. */
function helpPlaces(places: readonly Place[]): Place[] {
  return places
    .filter(({ path }) => /^[^ ]+$/.test(path))
    .map(({ path, words }) => ({ path: `help ${path}`, words, options: [] }));
}

/** Lines such as `  -o, --output FILE  Where to write it.` */
export function optionsIn(help: string): readonly Option[] {
  const found = new Map<string, Option>();
  for (const line of help.matchAll(
    /^ {2,}(?:(-\w), )?(--[a-z][\w-]*)(?:[ =](\[?"?[A-Z][\w.|="-]*\]?))? {2,}(\S.*)$/gm,
  )) {
    const [, short, name = "", value, summary = ""] = line;
    const option: Option = {
      name: name as Option["name"],
      summary,
      ...(short !== undefined && { short: short as `-${string}` }),
      ...(value !== undefined && { value }),
    };
    if (!found.has(name)) found.set(name, option);
  }
  return [...found.values()];
}
