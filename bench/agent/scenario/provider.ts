// The program with a real provider's protocol under it: the chat server on the loopback, without any latency.

import { median } from "../../harness/median.ts";
import type { Figures } from "../../harness/scenario.ts";
import type { AgentProcess } from "../agent-process.ts";
import { changedPercent } from "../chat-report.ts";
import {
  initialize,
  newSession,
  pause,
  prompt,
  type Room,
  type Scenario,
  type Side,
  type Turn,
  toPrompt,
  withAgent,
} from "../scenario.ts";
import { DELTA, DELTAS, PLAIN, PLAIN_DELTAS, ROUNDS } from "../script.ts";
import type { Program } from "../stage.ts";

/** The answer to what is no other word. */
const SENTENCES = PLAIN.repeat(PLAIN_DELTAS);

const first: Scenario = {
  id: "provider-first",
  sides: ["ours", "floor"],
  repeat: 1,
  run: (side, room) =>
    withAgent(chatProgram(side), room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const plain = () => runTurn(agent, sessionId, "plain", SENTENCES);
      for (let turn = 0; turn < 20; turn++) await plain();
      const turns = [];
      for (let turn = 0; turn < 40; turn++) turns.push(await plain());
      return {
        firstMs: median(turns.map(({ firstChunkMs }) => firstChunkMs)),
        turnMs: median(turns.map(({ wallMs }) => wallMs)),
      };
    }),
};

const cold: Scenario = {
  id: "provider-cold",
  sides: ["ours", "floor"],
  repeat: 4,
  async run(side, room) {
    const agent = room.stage.start(chatProgram(side), room);
    try {
      await initialize(agent);
      const sessionId = await newSession(agent, room);
      const chunk = agent.next('"agent_message_chunk"');
      await runTurn(agent, sessionId, "plain", SENTENCES);
      return { firstMs: (await chunk) - agent.startedAt };
    } finally {
      await agent.end();
    }
  },
};

const deltas: Scenario = {
  id: "provider-deltas",
  sides: ["ours", "floor"],
  repeat: 2,
  run: (side, room) =>
    withAgent(chatProgram(side), room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const turn = () => runTurn(agent, sessionId, "deltas", DELTA.repeat(DELTAS));
      for (let again = 0; again < 2; again++) await turn();
      const walls = [];
      for (let again = 0; again < 5; again++) walls.push((await turn()).wallMs);
      return { eachUs: (median(walls) / DELTAS) * 1000, perSecond: (DELTAS / median(walls)) * 1000 };
    }),
};

/** What the model is sent: for one word, and from step to step of a long turn. */
const bytes: Scenario = {
  id: "provider-bytes",
  sides: ["ours"],
  repeat: 1,
  run: (_side, room) =>
    withAgent("chat", room, async (agent) => {
      await room.stage.report();
      await runTurn(agent, await newSession(agent, room), "hello", SENTENCES);
      const hello = await room.stage.report();
      if (hello.asked.length !== 1) throw new Error(`hello took ${hello.asked.length} requests`);
      await runTurn(agent, await newSession(agent, room), "rounds", DELTA);
      const { asked } = await room.stage.report();
      if (asked.length !== ROUNDS + 1) throw new Error(`${ROUNDS} rounds took ${asked.length} requests`);
      return { helloKb: Buffer.byteLength(hello.asked[0] ?? "") / 1024, changedPercent: changedPercent(asked) };
    }),
};

const TIMES = 3;
const CLOSED_MS = 2_000;

const stalled: Scenario = {
  id: "provider-stalled",
  sides: ["ours"],
  repeat: 1,
  run: (_side, room) =>
    withAgent("chat", room, async (agent) => {
      let [cancelMs, closedMs] = [0, 0];
      for (let time = 0; time < TIMES; time++) {
        const took = await cancelStalled(agent, room);
        cancelMs = Math.max(cancelMs, took.cancelMs ?? Number.NaN);
        closedMs = Math.max(closedMs, took.closedMs ?? Number.NaN);
      }
      return { cancelMs, closedMs };
    }),
};

export const providers: readonly Scenario[] = [first, cold, deltas, bytes, stalled];

async function cancelStalled(agent: AgentProcess, room: Room): Promise<Figures> {
  const sessionId = await newSession(agent, room);
  await room.stage.report();
  const chunk = agent.next('"agent_message_chunk"');
  const answered = agent.request("session/prompt", toPrompt(sessionId, "stall"));
  await Promise.race([chunk, answered]);
  await pause(20);
  const cancelledAt = performance.now();
  agent.send([{ method: "session/cancel", params: { sessionId }, isRequest: false }]);
  const { result, at } = await answered;
  if (result.stopReason !== "cancelled") throw new Error(`cancel: ${JSON.stringify(result)}`);
  while ((await room.stage.report()).left === 0) {
    if (performance.now() - cancelledAt > CLOSED_MS) throw new Error("the connection to the provider stays open");
  }
  return { cancelMs: at - cancelledAt, closedMs: performance.now() - cancelledAt };
}

/** One turn. Throws unless it ends by itself, and has told every word the server said; in how many chunks is its own. */
async function runTurn(agent: AgentProcess, sessionId: string, text: string, said: string): Promise<Turn> {
  agent.kept = [];
  const first = agent.next('"agent_message_chunk"');
  const startedAt = performance.now();
  const { result, at } = await prompt(agent, sessionId, text);
  const told = agent.kept.map((line) => JSON.parse(line).params.update.content.text).join("");
  if (result.stopReason !== "end_turn" || told !== said) {
    throw new Error(`"${text}" ended with ${result.stopReason} after ${told.length} of ${said.length} characters`);
  }
  return { wallMs: at - startedAt, firstChunkMs: (await first) - startedAt };
}

function chatProgram(side: Side): Program {
  return side === "ours" ? "chat" : "floor";
}
