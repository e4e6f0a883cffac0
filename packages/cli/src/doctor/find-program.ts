// Where a program is that a person named, as a shell would find it.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Io } from "../io/io.ts";

/** Nothing where it is not there, or cannot be run. */
export async function findProgram(name: string, env: Io["env"]): Promise<string | undefined> {
  if (isAbsolute(name)) return (await canRun(name)) ? name : undefined;
  const endings = process.platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter).filter((one) => one !== "")) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (await canRun(path)) return path;
    }
  }
  return undefined;
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
