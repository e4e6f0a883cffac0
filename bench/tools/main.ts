// Measures the tools against what they stand on, sides interleaved, and what they take where much passes through them.
// Prints a table; exits 0 if every bar is reached, 1 if one is missed, 2 if a run failed.

import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { judge, type Run } from "../agent/judge.ts";
import { toTable } from "../agent/table.ts";
import { toCommandScenarios } from "./command.ts";
import { toEditScenarios } from "./edit.ts";
import { toGateScenarios } from "./gate.ts";
import { toLargeScenarios } from "./large.ts";
import { rows } from "./row.ts";
import { type Scenario, toScenarios } from "./scenario.ts";
import { makeTree } from "./tree.ts";

const DEFINITIONS = `\
Wall time of one call, warm: the tool from its input to what the model is told, by ripgrep with its output read, or fdir
with its own pattern filter. A ratio compares two runs that stood next to each other; of all the median counts, unless it
says worst. What is far larger than memory should be runs in a process of its own, and its RSS is looked at every 2 ms.`;

const { values } = parseArgs({ options: { runs: { type: "string" }, only: { type: "string" } } });
process.exitCode = await main(Number(values.runs ?? 21), values.only ?? "");

async function main(times: number, only: string): Promise<number> {
  const tree = makeTree();
  const large = toLargeScenarios(`${tree.root}-large`, (why) => console.error(why));
  process.once("exit", () => {
    tree.remove();
    large.remove();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  try {
    const all = [
      ...toScenarios(tree),
      ...(await toCommandScenarios(tree.root)),
      ...toGateScenarios(),
      ...toEditScenarios(),
      ...large.scenarios,
    ];
    const chosen = all.filter(({ id }) => id.startsWith(only));
    const runs: Run[] = [];
    for (const scenario of chosen) runs.push(...(await measure(scenario, times)));
    const verdicts = rows
      .filter(({ scenario }) => chosen.some(({ id }) => id === scenario))
      .map((row) => judge(row, runs));
    console.log(
      `${toTable(verdicts)}\n\n${DEFINITIONS}\nNode ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`,
    );
    return verdicts.some(({ passes }) => passes === false) ? 1 : 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    return 2;
  }
}

/** The first run of each side loads what it needs, and does not count. */
async function measure(scenario: Scenario, times: number): Promise<Run[]> {
  const { id, sides = ["ours", "floor"], atMostRuns = times } = scenario;
  const runs: Run[] = [];
  for (let time = 0; time <= Math.min(times, atMostRuns); time++) {
    for (const side of time % 2 === 0 ? sides : sides.toReversed()) {
      const figures = await scenario.run(side);
      if (time > 0) runs.push({ scenario: id, side, figures });
    }
  }
  return runs;
}
