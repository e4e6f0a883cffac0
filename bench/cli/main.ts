// Measures the program as people start it: by a flag, for one job, in a terminal, and as a proxy.

import { killAgents } from "../agent/agent-process.ts";
import { runBench } from "../harness/bench.ts";
import { readOptions } from "../harness/options.ts";
import { killTerminals } from "./pty.ts";
import { rows } from "./row.ts";
import { toOutputScenarios } from "./scenario/output.ts";
import { toProxyScenarios } from "./scenario/proxy.ts";
import { toTerminalScenarios } from "./scenario/terminal.ts";
import { Stage } from "./stage.ts";

const definitions = `\
Wall time from spawn to exit, against Node with an empty ES module (floor) or an empty CommonJS script (script); a ratio
compares two runs that stood next to each other, and the median of all counts. A first round fills the caches of the disk
and of the program, and does not count. First paint: from spawn until the last line of the first screen has come through a
pty that \`script\` holds. Deltas: CPU of all threads of the program, which is screen and agent, from the prompt to its end;
the model sends one delta a millisecond. Proxy: CPU of its own process for each update that passes through it, after a turn
to warm up; beside it what the agent needs to make one.`;

const options = readOptions("bench:cli", 21);
const stage = new Stage();
await runBench(
  options,
  () => {
    const tell = (why: string): void => console.error(why);
    const scenarios = [...toOutputScenarios(stage), ...toTerminalScenarios(stage, tell), ...toProxyScenarios(stage)];
    return { scenarios, rows, definitions, isWarm: true };
  },
  () => {
    killAgents();
    killTerminals();
    stage.remove();
  },
);
