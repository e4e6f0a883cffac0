// Turns the figures of all runs into verdicts. A ratio is taken between runs that stood next to each other in time. Pure.

import type { Row } from "./row.ts";
import { type Figures, median, type Side } from "./scenario.ts";

/** One run of one side. The n-th run of a side stands next to the n-th of the other. */
export interface Run {
  readonly scenario: string;
  readonly side: Side;
  readonly figures: Figures;
}

export interface Verdict extends Row {
  readonly ours: number;
  /** Nothing where the floor has no such figure. */
  readonly floor: number | undefined;
  readonly judged: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
  /** Null without a bar. */
  readonly passes: boolean | null;
}

export function judge(row: Row, runs: readonly Run[]): Verdict {
  const of = (side: Side): number[] =>
    runs
      .filter((run) => run.scenario === row.scenario && run.side === side)
      .map(({ figures }) => figures[row.figure] ?? Number.NaN);
  const [ours, floor] = [of("ours"), of(row.peer)];
  const values = ours.map((value, at) => compare(row, value, floor[at] ?? Number.NaN));
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const judged = row.counts === "worst" ? max : median(values);
  return {
    ...row,
    ours: median(ours),
    floor: floor.length > 0 ? median(floor) : undefined,
    judged,
    min,
    max,
    runs: values.length,
    // What is missing is not a number, and reaches no bar.
    passes: row.atMost === undefined ? null : judged <= row.atMost,
  };
}

function compare({ compared }: Row, ours: number, floor: number): number {
  switch (compared) {
    case "ratio":
      return ours / floor;
    case "above":
      return ours - floor;
    case "ours":
      return ours;
  }
}
