// What one more session costs that nobody talks to. The program as it was built.

import { rssKbOf } from "../proc.ts";
import { newSession, pause, type Scenario, withAgent } from "../scenario.ts";

const SESSIONS = 200;
const SETTLED_MS = 100;

export const idleSessions: Scenario = {
  id: "sessions",
  sides: ["ours", "floor"],
  repeat: 1,
  run: (side, room) =>
    withAgent(side === "ours" ? "agentao" : "floor", room, async (agent) => {
      await newSession(agent, room);
      await pause(SETTLED_MS);
      const before = rssKbOf(agent.pid);
      const startedAt = performance.now();
      for (let session = 0; session < SESSIONS; session++) await newSession(agent, room);
      const newMs = (performance.now() - startedAt) / SESSIONS;
      await pause(SETTLED_MS);
      return { eachKb: (rssKbOf(agent.pid) - before) / SESSIONS, newMs };
    }),
};
