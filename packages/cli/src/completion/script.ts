// The completion script of a shell.

import { toBash } from "./bash.ts";
import type { Place } from "./collect.ts";
import { toFish } from "./fish.ts";
import { toZsh } from "./zsh.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export function toScript(shell: (typeof SHELLS)[number], places: readonly Place[]): string {
  switch (shell) {
    case "bash":
      return toBash(places);
    case "zsh":
      return toZsh(places);
    case "fish":
      return toFish(places);
  }
}
