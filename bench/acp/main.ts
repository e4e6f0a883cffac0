// Measures @agentao/acp against the official SDK and against a hand-written loop: real processes over real stdio, sides
// interleaved, their order rotated each round. Prints a table; exits 0 if every bar is reached, 1 if one is missed, 2 if
// a run failed.

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { killChildren } from "./child.ts";
import { judge, judgeDependencies, type Run, type Verdict } from "./judge.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { rows } from "./row.ts";
import { type Room, type Scenario, STARTS, scenarios } from "./scenario.ts";
import { Stage } from "./stage.ts";
import { toTable } from "./table.ts";

const DEFINITIONS = `\
CPU is the run time of all threads. A ratio compares runs of one round; the median of all rounds is judged.
Bare node is a CommonJS script that prints one byte and waits. Start and import are sampled when the first line comes;
of ${STARTS} starts in a row the least counts. Official is the SDK as its README shows it, raw a hand-written loop.`;

const options = parseOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options === "" ? usage : `${options}\n\n${usage}`);
  process.exit(2);
}
process.exitCode = await main(options);

async function main(options: Options): Promise<number> {
  const stage = new Stage();
  const cleanUp = (): void => {
    killChildren();
    stage.remove();
  };
  process.once("exit", cleanUp);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  try {
    stage.build();
    const verdicts = await measure(options, stage);
    return verdicts.some(({ passes }) => passes === false) ? 1 : 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    return 2;
  } finally {
    cleanUp();
  }
}

async function measure(options: Options, stage: Stage): Promise<Verdict[]> {
  const before = describeMachine();
  const wanted = rows.filter(({ id }) => options.only.has(id));
  const chosen = scenarios.filter(({ id }) => wanted.some(({ scenario }) => scenario === id));
  const runs = await runAll(chosen, options, { stage, profiles: options.profile });

  const verdicts = wanted.map((row) => judge(row, runs));
  const official = stage.facts("@agentclientprotocol/sdk");
  if (options.only.has("import")) verdicts.push(judgeDependencies(stage.facts("@agentao/acp"), official));
  const machine = `${before}, at the end ${describeLoad()}; @agentclientprotocol/sdk ${official.version}`;
  print(verdicts, machine);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine, verdicts, runs }, null, 2)}\n`);
  }
  return verdicts;
}

async function runAll(chosen: readonly Scenario[], options: Options, room: Room): Promise<Run[]> {
  const runs: Run[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const scenario of chosen) {
      const times = options.quick ? 1 : scenario.repeat;
      for (let time = 0; time < times; time++) {
        for (const side of rotate(scenario.sides, round * times + time)) {
          const run = { scenario: scenario.id, side, figures: await scenario.run(side, room) };
          runs.push(run);
          if (options.verbose) console.error(`round ${round + 1} of ${options.rounds}: ${JSON.stringify(run)}`);
        }
      }
    }
  }
  return runs;
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function print(verdicts: readonly Verdict[], machine: string): void {
  const judged = verdicts.filter(({ bar }) => bar !== null);
  const others = verdicts.filter(({ bar }) => bar === null);
  console.log(`${toTable(judged)}\n`);
  if (others.length > 0) console.log(`Without a bar:\n\n${toTable(others)}\n`);
  console.log(`${DEFINITIONS}\n\n${machine}`);
  const missed = judged.filter(({ passes }) => passes === false).map(({ name }) => name);
  if (missed.length > 0) console.log(`\nMissed: ${missed.join("; ")}`);
}

function describeMachine(): string {
  const model = /^model name\s*: (.+)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "unknown CPU";
  return `Node ${process.versions.node}, ${availableParallelism()} cores (${model}), ${describeLoad()}`;
}

function describeLoad(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
