// The command line of a benchmark.

import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface Options {
  readonly rounds: number;
  /** One run per round, where scenarios that are short have several. */
  readonly quick: boolean;
  /** Names of scenarios, or beginnings of them; none means all. */
  readonly only: readonly string[];
  /** Where the figures go as JSON. */
  readonly json: string | undefined;
  /** Where V8 profiles of the processes go, by those benchmarks that can; the figures are then worth nothing. */
  readonly profile: string | undefined;
  readonly verbose: boolean;
}

/** Ends the process where it is asked for help, or for something that makes no sense. */
export function readOptions(script: string, rounds: number): Options {
  const options = parseOptions(process.argv.slice(2), rounds);
  if (typeof options !== "string") return options;
  const usage = toUsage(script, rounds);
  console.error(options === "" ? usage : `${options}\n\n${usage}`);
  process.exit(2);
}

/** The options, or what is wrong with them; nothing is wrong where help was asked for. */
function parseOptions(args: string[], usualRounds: number): Options | string {
  let values: ReturnType<typeof read>;
  try {
    values = read(args);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  if (values.help) return "";
  const rounds = Number(values.rounds ?? (values.quick ? 2 : usualRounds));
  if (!Number.isInteger(rounds) || rounds < 1) return "--rounds wants a number above 0";
  return {
    rounds,
    quick: values.quick ?? false,
    only: values.only?.split(",") ?? [],
    json: values.json,
    profile: values.profile && resolve(values.profile),
    verbose: values.verbose ?? process.stderr.isTTY,
  };
}

function toUsage(script: string, rounds: number): string {
  return `npm run ${script} -- [options]
  --rounds N      rounds, each with every side of every scenario (${rounds})
  --quick         2 rounds, one run each: a smoke test
  --only NAME,…   these scenarios, or those that begin so; a name that is none lists them
  --json FILE     writes all figures
  --profile DIR   writes CPU profiles of the processes, where it can
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
