// Runs one command of the program, from its words to its exit code.

import type { Io } from "../io/io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { didYouMean } from "../text/nearest.ts";
import { commands } from "./index.ts";

export async function runCommand(name: string, args: readonly string[], io: Io): Promise<number> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined)
    return complain(io, `there is no command "${name}"${didYouMean(name, Object.keys(commands))}`, "");
  const command = await entry.load();
  const [first] = args;
  if (first === "--help" || first === "-h") {
    io.stdout.write(command.help);
    return 0;
  }
  try {
    return await command.run(args, io);
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    const part = command.subcommands?.find((one) => one.name === first)?.name;
    return complain(io, cause.message, cause.isInHelp ? [` ${name}`, part].filter(Boolean).join(" ") : undefined);
  }
}

/** `command` is whose help says more. */
function complain(io: Io, problem: string, command: string | undefined): number {
  io.stderr.write(`agentao: ${problem}\n${command === undefined ? "" : `Try "agentao${command} --help".\n`}`);
  return 2;
}
