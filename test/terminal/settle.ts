// Waiting for a screen that nothing is painted on any more.

import { steadyRow } from "./steady-screen.ts";
import { type Row, screenText } from "./styled-screen.ts";
import type { TmuxTerminal } from "./tmux.ts";

/** A screen that has been the same for so long stays so. */
const STILL_MS = 2_000;

export interface Settling {
  /** What it shows at least. */
  isWanted(screen: string): boolean;
  /** Such a screen is not waited on any longer. */
  isExpected(rows: readonly Row[]): boolean;
}

export async function settle(terminal: TmuxTerminal, { isWanted, isExpected }: Settling): Promise<readonly Row[]> {
  let before = "";
  let since = performance.now();
  return terminal.untilRows((rows) => {
    const screen = JSON.stringify(rows.map(steadyRow));
    if (screen !== before) since = performance.now();
    before = screen;
    return isWanted(screenText(rows)) && (isExpected(rows) || performance.now() - since > STILL_MS);
  }, "what was waited for, and then nothing else");
}
