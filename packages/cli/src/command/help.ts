// `agentao help [COMMAND]`: the same as `--help`, for whoever looks for it as a word.

import type { Command, CommandTable } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { parseWords } from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { toProgramHelp } from "../program-help.ts";
import { didYouMean } from "../text/nearest.ts";

export function createHelp(commands: CommandTable): Command {
  const names = Object.keys(commands);
  const manual: Manual = {
    name: "help",
    title: "what agentao or one of its commands is for",
    usage: ["[COMMAND [SUBCOMMAND]]"],
    about: ['Prints what "agentao --help" or "agentao COMMAND --help" prints.'],
    operand: names,
    examples: [
      ["agentao help", "All commands."],
      ["agentao help sessions", "How one of them is used."],
      ["agentao help acp proxy", "And one of its parts."],
    ],
    exitCodes: [
      [0, "done"],
      [2, "there is no such command"],
    ],
  };
  return toCommand(manual, async (args, { stdout }) => {
    const [name, part, ...others] = parseWords(args, []).operands;
    if (others.length > 0) throw new UsageError("help takes one command");
    const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (name !== undefined && entry === undefined) throw unknown("there is no command", name, names, "agentao");
    stdout.write(entry === undefined ? toProgramHelp(commands) : await helpOf(await entry.load(), name, part));
    return 0;
  });
}

async function helpOf(command: Command, name = "", part?: string): Promise<string> {
  if (part === undefined) return command.help;
  const parts = command.subcommands?.map((one) => one.name) ?? [];
  if (!parts.includes(part)) throw unknown(`${name} has no`, part, parts, `agentao ${name}`);
  return (await command.helpOf?.(part)) ?? command.help;
}

/** Where help is, is not here: `above` is whose help names what there is. */
function unknown(problem: string, word: string, known: readonly string[], above: string): UsageError {
  const guess = didYouMean(word, known);
  return new UsageError(
    `${problem} "${word}"${guess}
Try "${above} --help".`,
    { isInHelp: false },
  );
}
