// The command line of the benchmark.

import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface Options {
  readonly rounds: number;
  /** One run per round, where scenarios that are short have several. */
  readonly quick: boolean;
  /** Names of scenarios, or beginnings of them; nothing means all. */
  readonly only: readonly string[];
  /** Where the figures go as JSON. */
  readonly json: string | undefined;
  /** Where V8 profiles of the agents go; the figures are then worth nothing. */
  readonly profile: string | undefined;
  readonly verbose: boolean;
}

/** The options, or what is wrong with them; nothing is wrong where help was asked for. */
export function parseOptions(args: string[], scenarioIds: readonly string[]): Options | string {
  let values: ReturnType<typeof read>;
  try {
    values = read(args);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  if (values.help) return "";
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) return "--rounds wants a number above 0";
  const only = values.only?.split(",") ?? [];
  const unknown = only.find((name) => !scenarioIds.some((id) => id.startsWith(name)));
  if (unknown !== undefined) return `there is no scenario ${unknown}; there are ${scenarioIds.join(", ")}`;
  return {
    rounds,
    quick: values.quick ?? false,
    only,
    json: values.json,
    profile: values.profile && resolve(values.profile),
    verbose: values.verbose ?? process.stderr.isTTY,
  };
}

export function toUsage(scenarioIds: readonly string[]): string {
  return `npm run bench:agent -- [options]
  --rounds N      rounds, each with every side of every scenario (5)
  --quick         1 round, one run each: a smoke test
  --only NAME,…   ${scenarioIds.join(", ")}; or how they begin
  --json FILE     writes all figures
  --profile DIR   writes CPU profiles of the agents
  --verbose       tells on stderr what runs`;
}

function read(args: string[]) {
  return parseArgs({
    args,
    options: {
      rounds: { type: "string" },
      quick: { type: "boolean" },
      only: { type: "string" },
      json: { type: "string" },
      profile: { type: "string" },
      verbose: { type: "boolean" },
      help: { type: "boolean" },
    },
  }).values;
}
