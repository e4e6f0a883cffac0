// Turns the figures of all runs into verdicts. A ratio is taken between runs that stood next to each other in time. Pure.

import { median } from "./median.ts";
import type { Bar, Row } from "./row.ts";
import type { Run } from "./scenario.ts";

export interface Verdict {
  readonly row: Row;
  readonly ours: number;
  /** Nothing where the peer has no such figure. */
  readonly peer: number | undefined;
  readonly judged: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
  /** Null without a bar. */
  readonly passes: boolean | null;
}

export function judge(row: Row, runs: readonly Run[]): Verdict {
  const ours = series(row, row.ours, runs);
  const peer = series(row, row.peer, runs);
  const values = ours.map((value, at) => compare(row, value, peer[at] ?? Number.NaN));
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const judged = row.counts === "worst" ? max : median(values);
  return {
    row,
    ours: median(ours),
    peer: peer.length > 0 ? median(peer) : undefined,
    judged,
    min,
    max,
    runs: values.length,
    passes: row.bar === undefined ? null : reaches(judged, row.bar),
  };
}

/** A side's figure in every run. */
function series({ scenario, figure, under }: Row, side: string, runs: readonly Run[]): number[] {
  const of = (who: string): number[] =>
    runs.filter((run) => run.scenario === scenario && run.side === who).map((run) => run.figures[figure] ?? Number.NaN);
  if (under === undefined) return of(side);
  const base = of(under);
  return of(side).map((value, at) => value - (base[at] ?? Number.NaN));
}

function compare({ compared }: Row, ours: number, peer: number): number {
  switch (compared) {
    case "ratio":
      return ours / peer;
    case "less":
      return peer / ours;
    case "above":
      return ours - peer;
    case "ours":
      return ours;
  }
}

/** A figure that is missing is not a number, and reaches no bar. */
function reaches(value: number, bar: Bar): boolean {
  return "atLeast" in bar ? value >= bar.atLeast : value <= bar.atMost;
}
