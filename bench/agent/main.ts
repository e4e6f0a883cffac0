// Measures the built program against the floor agent: real processes over real stdio, sides interleaved, their order
// rotated. Prints a table; exits 0 if every bar is reached, 1 if one is missed, 2 if a run failed.

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { killAgents } from "./agent-process.ts";
import { judge, type Run, type Verdict } from "./judge.ts";
import { type Options, parseOptions, toUsage } from "./options.ts";
import { rows } from "./row.ts";
import { cancels } from "./scenario/cancel.ts";
import { exits } from "./scenario/exit.ts";
import { mcpCall, mcpNew } from "./scenario/mcp.ts";
import { providers } from "./scenario/provider.ts";
import { idleSessions } from "./scenario/sessions.ts";
import { firstSession, SETTLED_MS, STARTS, start } from "./scenario/start.ts";
import { disk, history, load } from "./scenario/store.ts";
import { deltas, firstChunk, rounds } from "./scenario/stream.ts";
import type { Room, Scenario } from "./scenario.ts";
import { Stage } from "./stage.ts";
import { toTable } from "./table.ts";

const DEFINITIONS = `\
CPU is the run time of all threads of the agent. Ratios compare runs of one round; of all rounds the median counts, or
the worst where it says so. Of ${STARTS} starts in a row the least counts; RSS is taken ${SETTLED_MS} ms after the answer.
The program runs as built; where turns are measured, its model plays a scenario file. The floor agent is one file without
checks or journal; its model is a chat server on the loopback, so its turns pay for requests that a scripted model does not
make: rows "with its model inside" compare without them. In rows "by a provider" the program talks to the same server.
Calls of an MCP tool are made in this process, from the sources: in turns by our tool and by the library's client, each with
a server of its own.`;

const scenarios: readonly Scenario[] = [
  start,
  firstSession,
  firstChunk,
  deltas,
  rounds,
  ...providers,
  ...cancels,
  ...exits,
  disk,
  history,
  load,
  idleSessions,
  mcpNew,
  mcpCall,
];
const scenarioIds = scenarios.map(({ id }) => id);

const options = parseOptions(process.argv.slice(2), scenarioIds);
if (typeof options === "string") {
  console.error(options === "" ? toUsage(scenarioIds) : `${options}\n\n${toUsage(scenarioIds)}`);
  process.exit(2);
}
process.exitCode = await main(options);

async function main(options: Options): Promise<number> {
  const stage = new Stage();
  const cleanUp = (): void => {
    killAgents();
    stage.remove();
  };
  process.once("exit", cleanUp);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
  try {
    await stage.build();
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
  const chosen = scenarios.filter(({ id }) => options.only.length === 0 || options.only.some((o) => id.startsWith(o)));
  const runs = await runAll(chosen, options, { stage, profiles: options.profile });
  const wanted = rows.filter(({ scenario }) => chosen.some(({ id }) => id === scenario));
  const verdicts = wanted.map((row) => judge(row, runs));
  const machine = `${before}, at the end ${describeLoad()}`;
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
        const sides = rotate(scenario.sides, round * times + time);
        for (const side of sides) {
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
  const judged = verdicts.filter(({ passes }) => passes !== null);
  const others = verdicts.filter(({ passes }) => passes === null);
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
