// `agentao completion`: a script for a shell, made from the table of commands.

import { collectWords } from "../completion/collect.ts";
import { SHELLS, toScript } from "../completion/script.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { oneOperand, parseWords } from "../manual/parse-words.ts";
import { type Command, type CommandTable, UsageError } from "./command.ts";

const manual: Manual = {
  name: "completion",
  title: "print a completion script for a shell",
  usage: [SHELLS.join("|")],
  about: ["Commands, their options, the values of options and the ids of sessions are completed."],
  operand: SHELLS,
  examples: [
    ["source <(agentao completion bash)", "In ~/.bashrc."],
    ["agentao completion zsh > ~/.zfunc/_agentao", "With fpath+=~/.zfunc before compinit in ~/.zshrc."],
    ["agentao completion fish > ~/.config/fish/completions/agentao.fish", "Fish finds it there."],
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
