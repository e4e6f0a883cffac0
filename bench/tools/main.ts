// Measures the tools against what they stand on, and what they take where much passes through them.

import { runBench } from "../harness/bench.ts";
import { readOptions } from "../harness/options.ts";
import { toCommandScenarios } from "./command.ts";
import { toEditScenarios } from "./edit.ts";
import { toGateScenarios } from "./gate.ts";
import { toLargeScenarios } from "./large.ts";
import { rows } from "./row.ts";
import { toScenarios } from "./scenario.ts";
import { makeTree } from "./tree.ts";

const definitions = `\
Wall time of one call, warm: the tool from its input to what the model is told, by ripgrep with its output read, or fdir
with its own pattern filter. A ratio compares two runs that stood next to each other; of all the median counts, unless it
says worst. A first round loads what is needed, and does not count. What is far larger than memory should be runs in a
process of its own, and its RSS is looked at every 2 ms.`;

const options = readOptions("bench:tools", 21);
const tree = makeTree();
const large = toLargeScenarios(`${tree.root}-large`, (why) => console.error(why));
await runBench(
  options,
  async () => {
    const scenarios = [
      ...toScenarios(tree),
      ...(await toCommandScenarios(tree.root)),
      ...toGateScenarios(),
      ...toEditScenarios(),
      ...large.scenarios,
    ];
    return { scenarios, rows, definitions, isWarm: true };
  },
  () => {
    tree.remove();
    large.remove();
  },
);
