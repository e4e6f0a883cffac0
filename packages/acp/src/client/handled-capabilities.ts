// What a client can do, by what it handles.

import type { Fields } from "../decode/decode.ts";
import { toCapabilities } from "../v1/capability.ts";
import type { Method } from "../v1/method.ts";

/** The capability `terminal` promises all of them. */
const TERMINAL_METHODS = ["createTerminal", "terminalOutput", "waitForTerminalExit", "killTerminal", "releaseTerminal"];

export function handledCapabilities(methods: readonly Method[], has: (name: string) => boolean): Fields {
  const paths = methods
    .filter(({ gate, side, name }) => side === "client" && gate?.of === "client" && has(name))
    .map(({ gate }) => gate?.path ?? "")
    // A handler for elicitation can show a form; that it can open a page it must say itself.
    .map((path) => (path.startsWith("elicitation") ? "elicitation.form" : path));
  const terminal = TERMINAL_METHODS.every(has);
  return toCapabilities(paths.filter((path) => path !== "terminal" || terminal));
}
