// The command line of the benchmark.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isRowId, type RowId, rowIds } from "./row.ts";

export interface Options {
  readonly rounds: number;
  /** One run per round, where scenarios that are short have several. */
  readonly quick: boolean;
  readonly only: ReadonlySet<RowId>;
  /** Where the figures go as JSON. */
  readonly json: string | undefined;
  /** Where V8 profiles of all processes go; the figures are then worth nothing. */
  readonly profile: string | undefined;
  readonly verbose: boolean;
}

export const usage = `npm run bench:acp -- [options]
  --rounds N      rounds, each with every side of every scenario (5)
  --quick         2 rounds, one run per round: a smoke test
  --only ROW,…    ${rowIds.join(", ")}
  --json FILE     writes all figures
  --profile DIR   writes CPU profiles of the processes under test
  --verbose       tells on stderr what runs`;

/** The options, or what is wrong with them. */
export function parseOptions(args: string[]): Options | string {
  let values: ReturnType<typeof read>;
  try {
    values = read(args);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  if (values.help) return "";
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) return "--rounds wants a number above 0";
  const only = values.only?.split(",") ?? rowIds;
  const unknown = only.find((id) => !isRowId(id));
  if (unknown !== undefined) return `there is no row ${unknown}; there are ${rowIds.join(", ")}`;
  return {
    rounds,
    quick: values.quick ?? false,
    only: new Set(only.filter(isRowId)),
    json: values.json,
    profile: values.profile && resolve(values.profile),
    verbose: values.verbose ?? process.stderr.isTTY,
  };
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
