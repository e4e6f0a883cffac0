// Runs the scenarios of a benchmark, sides interleaved and their order rotated, and prints the table. The process exits 0
// if every bar is reached, 1 if one is missed, 2 if a run failed.

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { judge, type Verdict } from "./judge.ts";
import type { Options } from "./options.ts";
import type { Row } from "./row.ts";
import type { Run, Scenario } from "./scenario.ts";
import { toTable } from "./table.ts";

export interface Bench {
  readonly scenarios: readonly Scenario[];
  readonly rows: readonly Row[];
  /** What the reader must know to read the table. */
  readonly definitions: string;
  /**
   * Whether all rounds of a scenario follow each other, after one that fills caches and does not count. Else every round
   * has all scenarios.
   */
  readonly isWarm?: boolean;
  /** The version of a peer. */
  readonly against?: string;
}

/** `prepare` makes what is run; `clear` ends and removes it, whatever happens, and perhaps twice. */
export async function runBench(
  options: Options,
  prepare: () => Promise<Bench> | Bench,
  clear: () => void,
): Promise<void> {
  process.once("exit", clear);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  try {
    const verdicts = await measure(options, await prepare());
    process.exitCode = verdicts.some(({ passes }) => passes === false) ? 1 : 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 2;
  } finally {
    clear();
  }
}

async function measure(options: Options, bench: Bench): Promise<Verdict[]> {
  const before = describeMachine();
  const chosen = choose(bench.scenarios, options.only);
  const runs = await runAll(chosen, options, bench.isWarm === true);
  const wanted = bench.rows.filter(({ scenario }) => chosen.some(({ id }) => id === scenario));
  const verdicts = wanted.map((row) => judge(row, runs));
  const against = bench.against === undefined ? "" : `; ${bench.against}`;
  const machine = `${before}, at the end ${describeLoad()}${against}`;
  print(verdicts, bench.definitions, machine);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine, verdicts, runs }, null, 2)}\n`);
  }
  return verdicts;
}

function choose(scenarios: readonly Scenario[], only: readonly string[]): readonly Scenario[] {
  const unknown = only.find((name) => !scenarios.some(({ id }) => id.startsWith(name)));
  if (unknown !== undefined) {
    throw new Error(`there is no scenario ${unknown}; there are ${scenarios.map(({ id }) => id).join(", ")}`);
  }
  return scenarios.filter(({ id }) => only.length === 0 || only.some((name) => id.startsWith(name)));
}

async function runAll(chosen: readonly Scenario[], options: Options, isWarm: boolean): Promise<Run[]> {
  const runs: Run[] = [];
  if (isWarm) {
    for (const scenario of chosen) {
      await runRound(scenario, 0, { ...options, quick: true });
      for (let round = 0; round < options.rounds; round++) runs.push(...(await runRound(scenario, round, options)));
    }
    return runs;
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const scenario of chosen) runs.push(...(await runRound(scenario, round, options)));
  }
  return runs;
}

async function runRound(scenario: Scenario, round: number, options: Options): Promise<Run[]> {
  const { id, sides, repeat = 1, atMostRounds = options.rounds } = scenario;
  const runs: Run[] = [];
  const times = round >= atMostRounds ? 0 : options.quick ? 1 : repeat;
  for (let time = 0; time < times; time++) {
    for (const side of rotate(sides, round * times + time)) {
      const run = { scenario: id, side, figures: await scenario.run(side) };
      runs.push(run);
      if (options.verbose) console.error(`round ${round + 1} of ${options.rounds}: ${JSON.stringify(run)}`);
    }
  }
  return runs;
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function print(verdicts: readonly Verdict[], definitions: string, machine: string): void {
  const judged = verdicts.filter(({ passes }) => passes !== null);
  const others = verdicts.filter(({ passes }) => passes === null);
  console.log(`${toTable(judged)}\n`);
  if (others.length > 0) console.log(`Without a bar:\n\n${toTable(others)}\n`);
  console.log(`${definitions}\n\n${machine}`);
  const missed = judged.filter(({ passes }) => passes === false).map(({ row }) => row.name);
  if (missed.length > 0) console.log(`\nMissed: ${missed.join("; ")}`);
}

function describeMachine(): string {
  const model = /^model name\s*: (.+)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "unknown CPU";
  return `Node ${process.versions.node}, ${availableParallelism()} cores (${model}), ${describeLoad()}`;
}

function describeLoad(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
