// Decides how a terminal's command is started: as a program with its arguments, or by a shell. Starts nothing.

import { fs, path } from "./builtin.ts";
import { stat } from "./file-system.ts";
import { windowsProgram } from "./windows-program.ts";

const { isAbsolute } = path;

export type Invocation = {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments: boolean;
};

/** No blank, no quote, nothing a shell would read as more than itself. */
const PLAIN_WORD = process.platform === "win32" ? /^[\w@+:,./\\-]+$/ : /^[\w@%+:,./-]+$/;

/**
 * A command with arguments is a program, run without a shell. Many agents send a whole command line instead, with no
 * arguments: that one is for the shell, unless it is a plain word or the path of an existing file.
 */
export async function toInvocation(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Invocation> {
  if (args.length > 0 || PLAIN_WORD.test(command) || (await isFile(command))) {
    return { file: command, args, windowsVerbatimArguments: false };
  }
  return process.platform === "win32" ? inCmd(command, env) : inShell(command);
}

async function isFile(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path.includes("\0")) return false;
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ?? false;
}

/** One pipe for both streams is the only way to keep their order; inside of a shell it can be had. */
function inShell(commandLine: string): Invocation {
  const shell = ["/bin/bash", "/usr/bin/bash"].find((path) => fs().existsSync(path)) ?? "/bin/sh";
  return { file: shell, args: ["-c", `exec 2>&1; ${commandLine}`], windowsVerbatimArguments: false };
}

function inCmd(commandLine: string, env: Readonly<Record<string, string | undefined>>): Invocation {
  // With /s, cmd takes off the outer quotes and reads the rest as it is.
  return {
    file: windowsProgram("cmd.exe", env),
    args: ["/d", "/s", "/c", `"${commandLine}"`],
    windowsVerbatimArguments: true,
  };
}
