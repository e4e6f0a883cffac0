// Turns the figures of all runs into verdicts. A ratio is taken between runs that stood next to each other in time; of
// the ratios the median counts. Pure.

import type { Bar, Row, RowId } from "./row.ts";
import type { Figures, ScenarioId, Side } from "./scenario.ts";
import type { PackageFacts } from "./stage.ts";

/** One run of one side. The n-th run of a side stands next to the n-th of every other side of its scenario. */
export interface Run {
  readonly scenario: ScenarioId;
  readonly side: Side;
  readonly figures: Figures;
}

export interface Verdict {
  readonly id: RowId;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  /** What is judged. */
  readonly compared: Row["ratio"];
  /** Over all rounds; null where there is nothing to repeat. */
  readonly ratio: Spread | null;
  readonly bar: Bar | null;
  readonly passes: boolean | null;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly n: number;
}

export function judge(row: Row, runs: readonly Run[]): Verdict {
  const { id, name, unit, peer: peerName, ratio: compared, bar = null } = row;
  const ours = series(row, row.ours, runs);
  const peer = series(row, row.peer, runs);
  const ratio = toSpread(ours.map((value, at) => compare(row, value, peer[at] ?? Number.NaN)));
  const passes = bar && reaches(ratio.median, bar);
  return { id, name, unit, ours: median(ours), peer: median(peer), peerName, compared, ratio, bar, passes };
}

export function judgeDependencies(ours: PackageFacts, official: PackageFacts): Verdict {
  const bar: Bar = { atMost: 0 };
  const count = ours.dependencies.length;
  return {
    id: "import",
    name: "runtime dependencies",
    unit: "",
    ours: count,
    peer: official.dependencies.length,
    peerName: "official",
    compared: "ours",
    ratio: null,
    bar,
    passes: reaches(count, bar),
  };
}

/** A side's figure in every run, above the floor of the same round if there is one. */
function series({ scenario, figure, floor }: Row, side: Side, runs: readonly Run[]): number[] {
  const of = (who: Side): number[] =>
    runs.filter((run) => run.scenario === scenario && run.side === who).map((run) => run.figures[figure] ?? Number.NaN);
  if (floor === undefined) return of(side);
  const floors = of(floor);
  return of(side).map((value, at) => value - (floors[at] ?? Number.NaN));
}

function compare({ ratio }: Row, ours: number, peer: number): number {
  switch (ratio) {
    case "peer/ours":
      return peer / ours;
    case "ours/peer":
      return ours / peer;
    case "ours":
      return ours;
  }
}

/** A figure that is missing is not a number, and reaches no bar. */
function reaches(value: number, bar: Bar): boolean {
  return "atLeast" in bar ? value >= bar.atLeast : value <= bar.atMost;
}

function toSpread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), n: values.length };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
