// The program in a terminal: how soon there is something to type into, and what a long answer costs.

import { cpuMsOf, rssKbOf } from "../../agent/proc.ts";
import type { Scenario } from "../../harness/scenario.ts";
import { hasScript, openTerminal, type Terminal } from "../pty.ts";
import { LIVE_END, type Stage } from "../stage.ts";

/** Stands in the last line of the screen. */
const PAINTED = "% full";

export function toTerminalScenarios(stage: Stage, onSkip: (why: string) => void): Scenario[] {
  if (!hasScript()) {
    onSkip("Nothing is measured in a terminal: there is no `script` of util-linux.");
    return [];
  }
  return [
    { id: "paint", sides: ["ours"], run: () => inTerminal(stage, measurePaint) },
    { id: "deltas", sides: ["ours"], atMostRounds: 5, run: () => inTerminal(stage, measureDeltas) },
  ];
}

async function inTerminal<Figures>(stage: Stage, use: (terminal: Terminal) => Promise<Figures>): Promise<Figures> {
  const terminal = openTerminal([process.execPath, stage.program, "chat"], stage.workspace, stage.env("live"));
  try {
    return await use(terminal);
  } finally {
    await terminal.end();
  }
}

async function measurePaint(terminal: Terminal) {
  const paintMs = (await terminal.until(PAINTED)) - terminal.startedAt;
  return { paintMs, cpuMs: cpuMsOf(terminal.pid) };
}

async function measureDeltas(terminal: Terminal) {
  await terminal.until(PAINTED);
  const [cpuBefore, writtenBefore] = [cpuMsOf(terminal.pid), terminal.writtenBytes];
  const rssBefore = rssKbOf(terminal.pid);
  terminal.type("go");
  await terminal.until("go");
  terminal.type("\r");
  await terminal.until(LIVE_END);
  return {
    cpuMs: cpuMsOf(terminal.pid) - cpuBefore,
    writtenKb: (terminal.writtenBytes - writtenBefore) / 1000,
    grownMb: (rssKbOf(terminal.pid) - rssBefore) / 1024,
  };
}
