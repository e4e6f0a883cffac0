// A row of the table: which figure of which scenario is compared with whom, and the bar it has to reach.

export interface Row {
  readonly name: string;
  readonly scenario: string;
  readonly figure: string;
  readonly unit: string;
  /**
   * What is judged: how many times the peer's we need (or do), how many times less we need, how far we are above it, or
   * our figure alone.
   */
  readonly compared: "ratio" | "less" | "above" | "ours";
  /** Which side is ours. */
  readonly ours: string;
  readonly peer: string;
  /** Whose figure of the same run is subtracted from both before they are compared. */
  readonly under?: string;
  /** Of all runs: the median, or the worst where every single one has to do. */
  readonly counts: "median" | "worst";
  /** Without a bar the row is for the reader. */
  readonly bar?: Bar;
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

/** Our figure, judged by itself. */
export function alone(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  const bar = atMost === undefined ? {} : { bar: { atMost } };
  return { scenario, figure, name, unit, compared: "ours", ours: "ours", peer: "floor", counts: "median", ...bar };
}

/** How many times the floor's. */
export function ratio(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  return { ...alone(scenario, figure, name, unit, atMost), compared: "ratio" };
}

/** Our figure where every single run has to do. */
export function worst(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  return { ...alone(scenario, figure, name, unit, atMost), counts: "worst" };
}
