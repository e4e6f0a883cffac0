// Measures the built program against the floor agent: real processes over real stdio.

import { runBench } from "../harness/bench.ts";
import { readOptions } from "../harness/options.ts";
import { killAgents } from "./agent-process.ts";
import { rows } from "./row.ts";
import { cancels } from "./scenario/cancel.ts";
import { exits } from "./scenario/exit.ts";
import { mcpCall, mcpNew } from "./scenario/mcp.ts";
import { providers } from "./scenario/provider.ts";
import { idleSessions } from "./scenario/sessions.ts";
import { firstSession, SETTLED_MS, STARTS, start } from "./scenario/start.ts";
import { disk, history, load } from "./scenario/store.ts";
import { deltas, firstChunk, rounds } from "./scenario/stream.ts";
import { newSession, prompt, type Room, type Scenario, withAgent } from "./scenario.ts";
import { Stage } from "./stage.ts";

const definitions = `\
CPU is the run time of all threads of the agent. Ratios compare runs of one round; of all rounds the median counts, or
the worst where it says so. Of ${STARTS} starts in a row the least counts; RSS is taken ${SETTLED_MS} ms after the answer.
The program runs as built, and has been used before: it has kept its compiled code. Where turns are measured, its model
plays a scenario file. The floor agent is one file without checks or journal; its model is a chat server on the loopback, so
its turns pay for requests that a scripted model does not make: rows "with its model inside" compare without them. In rows
"by a provider" the program talks to the same server.
Calls of an MCP tool are made in this process, from the sources: in turns by our tool and by the library's client, each with
a server of its own.`;

const all: readonly Scenario[] = [
  start,
  firstSession,
  firstChunk,
  deltas,
  rounds,
  ...providers,
  ...cancels,
  ...exits,
  disk,
  history,
  load,
  idleSessions,
  mcpNew,
  mcpCall,
];

const options = readOptions("bench:agent", 5);
const stage = new Stage();
await runBench(
  options,
  async () => {
    await stage.build();
    const room = { stage, profiles: options.profile };
    await keepCode({ stage, profiles: undefined });
    const scenarios = all.map((scenario) => ({
      ...scenario,
      run: (side: Parameters<Scenario["run"]>[0]) => scenario.run(side, room),
    }));
    return { scenarios, rows, definitions };
  },
  () => {
    killAgents();
    stage.remove();
  },
);

/** One turn, as somebody had it before. */
async function keepCode(room: Room): Promise<void> {
  await withAgent("chat", room, async (agent) => {
    await prompt(agent, await newSession(agent, room), "hi");
    return {};
  });
}
