// `agentao help [COMMAND]`: the same as `--help`, for whoever looks for it as a word.

import { type Manual, toCommand } from "../manual/manual.ts";
import { parseWords } from "../manual/parse-words.ts";
import { nearest } from "../nearest.ts";
import { toProgramHelp } from "../program-help.ts";
import { type Command, type CommandTable, UsageError } from "./command.ts";

export function createHelp(commands: CommandTable): Command {
  const names = Object.keys(commands);
  const manual: Manual = {
    name: "help",
    title: "what agentao or one of its commands is for",
    usage: ["[COMMAND]"],
    about: ['Prints what "agentao --help" or "agentao COMMAND --help" prints.'],
    operand: names,
    examples: [
      ["agentao help", "All commands."],
      ["agentao help sessions", "How one of them is used."],
    ],
    exitCodes: [
      [0, "done"],
      [2, "there is no such command"],
    ],
  };
  return toCommand(manual, async (args, { stdout }) => {
    const [name, ...others] = parseWords(args, []).operands;
    if (others.length > 0) throw new UsageError("help takes one command");
    const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (name !== undefined && entry === undefined) {
      const close = nearest(name, names);
      throw new UsageError(`there is no command "${name}"${close === undefined ? "" : `; did you mean ${close}?`}`);
    }
    stdout.write(entry === undefined ? toProgramHelp(commands) : (await entry.load()).help);
    return 0;
  });
}
