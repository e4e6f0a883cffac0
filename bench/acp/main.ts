// Measures @agentao/acp against the official SDK and against a hand-written loop: real processes over real stdio.

import { runBench } from "../harness/bench.ts";
import { readOptions } from "../harness/options.ts";
import { killChildren } from "./child.ts";
import { rows } from "./row.ts";
import { STARTS, toScenarios } from "./scenario.ts";
import { Stage } from "./stage.ts";

const definitions = `\
CPU is the run time of all threads. A ratio compares runs of one round; the median of all rounds is judged.
Bare node is a CommonJS script that prints one byte and waits. Start and import are sampled when the first line comes;
of ${STARTS} starts in a row the least counts. Official is the SDK as its README shows it, raw a hand-written loop.`;

const options = readOptions("bench:acp", 5);
const stage = new Stage();
await runBench(
  options,
  () => {
    stage.build();
    const { version } = stage.facts("@agentclientprotocol/sdk");
    const scenarios = toScenarios({ stage, profiles: options.profile });
    return { scenarios, rows, definitions, against: `@agentclientprotocol/sdk ${version}` };
  },
  () => {
    killChildren();
    stage.remove();
  },
);
