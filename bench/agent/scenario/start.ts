// The beginning of a process: its first answer, its memory then, its first session. The program as it was built.

import type { Figures } from "../../harness/scenario.ts";
import { cpuMsOf, rssKbOf } from "../proc.ts";
import { initialize, pause, type Room, type Scenario, type Side } from "../scenario.ts";

/** What disturbs a start only ever adds to it: of a few in a row, the least counts. */
export const STARTS = 4;

/** By then whatever was to be loaded behind the answer is loaded. */
export const SETTLED_MS = 60;

export const start: Scenario = {
  id: "start",
  sides: ["ours", "floor"],
  repeat: 3,
  async run(side, room) {
    let least: Figures = await startOnce(side, room);
    for (let again = 1; again < STARTS; again++) {
      const next = await startOnce(side, room);
      least = Object.fromEntries(
        Object.entries(least).map(([key, value]) => [key, Math.min(value, next[key] ?? value)]),
      );
    }
    return least;
  },
};

export const firstSession: Scenario = {
  id: "new",
  sides: ["ours", "floor"],
  repeat: 4,
  async run(side, { stage, profiles }) {
    const agent = stage.start(side === "ours" ? "agentao" : "floor", { profiles });
    try {
      await initialize(agent);
      const askedAt = performance.now();
      const { result, at } = await agent.request("session/new", { cwd: stage.workspace, mcpServers: [] });
      if (typeof result.sessionId !== "string") throw new Error("session/new gave no id");
      return { wallMs: at - askedAt, coldMs: at - agent.startedAt };
    } finally {
      await agent.end();
    }
  },
};

async function startOnce(side: Side, { stage, profiles }: Room): Promise<Figures> {
  const agent = stage.start(side === "ours" ? "agentao" : "floor", { profiles });
  try {
    // It waits in the pipe from the beginning.
    const { at } = await initialize(agent);
    const cpuMs = cpuMsOf(agent.pid);
    await pause(SETTLED_MS);
    return { wallMs: at - agent.startedAt, cpuMs, rssMb: rssKbOf(agent.pid) / 1024 };
  } finally {
    await agent.end();
  }
}
