// Where a command is, as a shell would find it, so that a missing one can be named before anything is started.

import { access, constants, stat } from "node:fs/promises";
import { delimiter, extname, isAbsolute, join, resolve } from "node:path";

const WINDOWS = process.platform === "win32";

class CommandMissing extends Error {
  override readonly name = "CommandMissing";
}

/** An absolute path. Rejects with `CommandMissing`, whose message says what to do. */
export async function findCommand(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (command.trim() === "") throw new CommandMissing("no command is configured");
  if (/[\\/]/.test(command)) {
    const path = resolve(cwd, command);
    if (await isProgram(path)) return path;
    throw new CommandMissing(`no program at ${path}: check the configured command`);
  }
  const folders = pathOf(env)
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    for (const ending of endings(command, env)) {
      const path = join(folder, command + ending);
      if (await isProgram(path)) return path;
    }
  }
  throw new CommandMissing(`command not found: ${command}. Install it, or configure its full path`);
}

function pathOf(env: Readonly<Record<string, string | undefined>>): string {
  return (env.PATH ?? (WINDOWS ? env.Path : undefined) ?? "") || "/usr/local/bin:/usr/bin:/bin";
}

function endings(command: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (!WINDOWS || extname(command) !== "") return [""];
  return (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";");
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
