// What is run: one side in fresh processes, checked, and what it measured.

/** What one run measured, by name. */
export type Figures = Readonly<Record<string, number>>;

export interface Scenario<Side extends string = string> {
  readonly id: string;
  readonly sides: readonly Side[];
  /** Runs per round: what is short is repeated. One, unless it says so. */
  readonly repeat?: number;
  /** For what takes long, and varies little. */
  readonly atMostRounds?: number;
  /** Throws when what came out is not what was expected. */
  run(side: Side): Promise<Figures>;
}

/** One run of one side. The n-th run of a side stands next to the n-th of every other side of its scenario. */
export interface Run {
  readonly scenario: string;
  readonly side: string;
  readonly figures: Figures;
}
