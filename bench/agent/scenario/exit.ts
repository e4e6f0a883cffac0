// From the end of stdin to the end of the process, and whether anything of it is left. The program as it was built, with
// its own demo model.

import type { Figures } from "../../harness/scenario.ts";
import type { AgentProcess } from "../agent-process.ts";
import { descendantsOf, isAlive } from "../proc.ts";
import { initialize, newSession, type Room, type Scenario, toPrompt, within } from "../scenario.ts";

const LEFT_MS = 1_000;

export const exits: readonly Scenario[] = [
  exit("idle", async (agent, room) => void (await newSession(agent, room))),
  exit("stream", async (agent, room) => {
    const sessionId = await newSession(agent, room);
    agent.request("session/prompt", toPrompt(sessionId, "count to 1000")).catch(() => {});
    for (let chunk = 0; chunk < 5; chunk++) await agent.next('"agent_message_chunk"');
  }),
  exit("command", async (agent, room) => {
    const sessionId = await newSession(agent, room);
    await agent.request("session/set_mode", { sessionId, modeId: "full-access" });
    const running = agent.next('"in_progress"');
    agent.request("session/prompt", toPrompt(sessionId, "run `sleep 30`")).catch(() => {});
    await running;
    if (!(await within(2_000, () => descendantsOf(agent.pid).length >= 2))) throw new Error("no command was started");
  }),
];

function exit(name: string, reach: (agent: AgentProcess, room: Room) => Promise<void>): Scenario {
  return {
    id: `exit-${name}`,
    sides: ["ours"],
    repeat: 2,
    async run(_side, room) {
      const agent = room.stage.start("agentao", room);
      try {
        await initialize(agent);
        await reach(agent, room);
        return await closeInput(agent);
      } finally {
        await agent.end();
      }
    },
  };
}

async function closeInput(agent: AgentProcess): Promise<Figures> {
  const started = descendantsOf(agent.pid);
  agent.adopt(started);
  const closedAt = performance.now();
  agent.closeInput();
  const exitMs = (await agent.exited) - closedAt;
  await within(LEFT_MS, () => !started.some(isAlive));
  return { exitMs, left: started.filter(isAlive).length };
}
