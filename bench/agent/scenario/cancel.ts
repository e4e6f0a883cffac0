// From `session/cancel` to the answer `cancelled`, in each situation; and whether the next prompt works.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentProcess } from "../agent-process.ts";
import { isAlive } from "../proc.ts";
import { newSession, pause, type Room, runTurn, type Scenario, toPrompt, withAgent, within } from "../scenario.ts";
import { PLAIN_DELTAS } from "../script.ts";

interface Situation {
  readonly id: string;
  readonly text: string;
  /** Resolves when the situation is there. Without one, the cancel leaves with the prompt. */
  readonly there?: (agent: AgentProcess, room: Room) => Promise<unknown>;
  readonly modeId?: string;
  readonly capabilities?: object;
  readonly leavesShell?: boolean;
}

const situations: readonly Situation[] = [
  { id: "at-once", text: "slow" },
  { id: "streaming", text: "slow", there: (agent) => agent.next('"agent_message_chunk"') },
  { id: "stalled", text: "stall", there: (agent) => agent.next('"agent_message_chunk"') },
  { id: "shell", text: "shell", there: (_, room) => untilStarted(room), modeId: "full-access", leavesShell: true },
  { id: "permission", text: "ask", there: (agent) => agent.asked("session/request_permission") },
  {
    id: "fs",
    text: "read",
    there: (agent) => agent.asked("fs/read_text_file"),
    capabilities: { fs: { readTextFile: true } },
  },
];

const TIMES = 3;
/** A command that ignores what it is told is killed in the end. */
const GONE_MS = 5_000;

export const cancels: readonly Scenario[] = situations.map((situation) => ({
  id: `cancel-${situation.id}`,
  sides: ["ours"],
  repeat: 1,
  run: (_side, room) => withAgent("scenario", room, (agent) => measure(agent, situation, room), situation),
}));

async function measure(agent: AgentProcess, situation: Situation, room: Room) {
  let [cancelMs, nextMs, goneMs] = [0, 0, 0];
  for (let time = 0; time < TIMES; time++) {
    const sessionId = await newSession(agent, room);
    if (situation.modeId !== undefined) {
      await agent.request("session/set_mode", { sessionId, modeId: situation.modeId });
    }
    const took = await cancelOnce(agent, sessionId, situation, room);
    cancelMs = Math.max(cancelMs, took.cancelMs);
    goneMs = Math.max(goneMs, took.goneMs);
    nextMs = Math.max(nextMs, took.nextMs);
  }
  return { cancelMs, nextMs, goneMs };
}

async function cancelOnce(
  agent: AgentProcess,
  sessionId: string,
  { id, text, there, leavesShell }: Situation,
  room: Room,
) {
  rmSync(pidFile(room), { force: true });
  const ask = { method: "session/prompt", params: toPrompt(sessionId, text), isRequest: true };
  const cancel = { method: "session/cancel", params: { sessionId }, isRequest: false };
  const situationCame = there?.(agent, room);
  let cancelledAt = performance.now();
  const [answered] = agent.send(there === undefined ? [ask, cancel] : [ask]);
  if (situationCame !== undefined) {
    await Promise.race([situationCame, answered]);
    await pause(20);
    cancelledAt = performance.now();
    agent.send([cancel]);
  }
  const { result, at } = (await answered) ?? {};
  if (result?.stopReason !== "cancelled") throw new Error(`cancel ${id}: ${JSON.stringify(result)}`);

  const nextAt = performance.now();
  const goneMs = leavesShell ? await untilGone(agent, pidIn(room)) : 0;
  await runTurn(agent, sessionId, "plain", PLAIN_DELTAS);
  return { cancelMs: (at ?? Number.NaN) - cancelledAt, nextMs: performance.now() - nextAt, goneMs };
}

async function untilStarted(room: Room): Promise<void> {
  if (!(await within(GONE_MS, () => pidIn(room) > 0))) throw new Error("no command was started");
}

function pidIn(room: Room): number {
  return existsSync(pidFile(room)) ? Number(readFileSync(pidFile(room), "utf8")) : 0;
}

/** Where the command leaves its number. */
function pidFile({ stage }: Room): string {
  return join(stage.workspace, "shell.pid");
}

async function untilGone(agent: AgentProcess, pid: number): Promise<number> {
  agent.adopt([pid]);
  const startedAt = performance.now();
  if (!(await within(GONE_MS, () => !isAlive(pid)))) throw new Error(`the command ${pid} outlived its turn`);
  return performance.now() - startedAt;
}
