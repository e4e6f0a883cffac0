// `agentao completion`: a script for a shell, made from the table of commands.

import { collectWords } from "../completion/collect.ts";
import { SHELLS, toScript } from "../completion/script.ts";
import type { Command, CommandTable } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { oneOperand, parseWords } from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";

const manual: Manual = {
  name: "completion",
  title: "print a completion script for a shell",
  usage: [SHELLS.join("|")],
  about: [
    "Completes commands, their options and the values of those, files and folders, and asks agentao itself for ids of sessions and models and for names of MCP servers and agents.",
  ],
  operand: SHELLS,
  examples: [
    ["source <(agentao completion bash)", "In ~/.bashrc."],
    ["source <(agentao completion zsh)", "In ~/.zshrc, behind compinit."],
    ["agentao completion fish | source", "In ~/.config/fish/config.fish."],
  ],
  exitCodes: [
    [0, "done"],
    [2, "no such shell"],
  ],
};

export function createCompletion(commands: CommandTable): Command {
  return toCommand(manual, async (args, { stdout }) => {
    const word = oneOperand(parseWords(args, []), `the shell (${SHELLS.join(", ")})`);
    const shell = SHELLS.find((one) => one === word);
    if (shell === undefined) throw new UsageError(`completion knows ${SHELLS.join(", ")}, not "${word}"`);
    stdout.write(toScript(shell, await collectWords(commands)));
    return 0;
  });
}
