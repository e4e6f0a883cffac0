// Measures the program as people start it: by a flag, for one job, in a terminal, and as a proxy. Sides are interleaved,
// their order alternates. Prints a table; exits 0 if every bar is reached, 1 if one is missed, 2 if a run failed.

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { killAgents } from "../agent/agent-process.ts";
import { judge, type Run, type Verdict } from "../agent/judge.ts";
import { toTable } from "../agent/table.ts";
import { killTerminals } from "./pty.ts";
import { rows } from "./row.ts";
import { toOutputScenarios } from "./scenario/output.ts";
import { toProxyScenarios } from "./scenario/proxy.ts";
import { toTerminalScenarios } from "./scenario/terminal.ts";
import type { Scenario } from "./scenario.ts";
import { Stage } from "./stage.ts";

const DEFINITIONS = `\
Wall time from spawn to exit, against Node with an empty module; a ratio compares two runs that stood next to each
other, and the median of all counts. First paint: from spawn until the last line of the first screen has come through
a pty that \`script\` holds. Deltas: CPU of all threads of the program, which is screen and agent, from the prompt to
its end; the model sends one delta a millisecond. Proxy: CPU of its own process for each update that passes through
it, after a turn to warm up; beside it what the agent needs to make one.`;

const { values } = parseArgs({
  options: { runs: { type: "string" }, only: { type: "string" }, json: { type: "string" } },
});
process.exitCode = await main(Number(values.runs ?? 21), values.only ?? "");

async function main(times: number, only: string): Promise<number> {
  const stage = new Stage();
  process.once("exit", () => {
    killAgents();
    killTerminals();
    stage.remove();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  try {
    const all = [...toOutputScenarios(stage), ...toTerminalScenarios(stage, tell), ...toProxyScenarios(stage)];
    const chosen = all.filter(({ id }) => id.startsWith(only));
    const before = describeLoad();
    const runs: Run[] = [];
    for (const scenario of chosen) runs.push(...(await measure(scenario, times)));
    const verdicts = rows
      .filter(({ scenario }) => chosen.some(({ id }) => id === scenario))
      .map((row) => judge(row, runs));
    const machine = `Node ${process.versions.node}, load ${before} before and ${describeLoad()} after`;
    print(verdicts, machine);
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ machine, verdicts, runs }, null, 2));
    return verdicts.some(({ passes }) => passes === false) ? 1 : 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    return 2;
  }
}

/** The first run of each side fills the caches of the disk, and does not count. */
async function measure({ id, sides, atMostRuns, run }: Scenario, times: number): Promise<Run[]> {
  const runs: Run[] = [];
  for (let time = 0; time <= Math.min(times, atMostRuns ?? times); time++) {
    for (const side of time % 2 === 0 ? sides : sides.toReversed()) {
      const figures = await run(side);
      if (time > 0) runs.push({ scenario: id, side, figures });
    }
  }
  return runs;
}

function print(verdicts: readonly Verdict[], machine: string): void {
  const missed = verdicts.filter(({ passes }) => passes === false).map(({ name }) => name);
  console.log(`${toTable(verdicts)}\n\n${DEFINITIONS}\n${machine}`);
  if (missed.length > 0) console.log(`\nMissed: ${missed.join("; ")}`);
}

function tell(why: string): void {
  console.error(why);
}

function describeLoad(): string {
  return loadavg()[0]?.toFixed(1) ?? "unknown";
}
