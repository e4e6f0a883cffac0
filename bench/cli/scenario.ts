// What a scenario is: one side, run once in fresh processes and checked, and what was measured.

import type { Figures, Side } from "../agent/scenario.ts";

export interface Scenario {
  readonly id: string;
  readonly sides: readonly Side[];
  /** Of what takes long. */
  readonly atMostRuns?: number;
  run(side: Side): Promise<Figures>;
}
