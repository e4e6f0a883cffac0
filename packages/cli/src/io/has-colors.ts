// Whether what is written there may have colours.

import type { Io } from "./io.ts";

export function hasColors({ stdout, env }: Pick<Io, "stdout" | "env">): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}
