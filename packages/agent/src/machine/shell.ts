// Which shell runs commands: bash where there is one, for that is what models write; else what every system has.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";

const WINDOWS = process.platform === "win32";

/** Looks in the usual folders, then in those of the environment's own PATH. */
export async function findShell(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const folders = [...(WINDOWS ? [] : ["/bin", "/usr/bin"]), ...(env.PATH ?? env.Path ?? "").split(delimiter)];
  for (const folder of folders) {
    const path = join(folder, WINDOWS ? "bash.exe" : "bash");
    if (folder !== "" && (await isProgram(path))) return path;
  }
  return WINDOWS ? "sh.exe" : "/bin/sh";
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
