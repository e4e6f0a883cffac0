// What a turn costs when the model costs nothing: its first chunk, its deltas, its tool rounds.

import { median } from "../../harness/median.ts";
import { cpuMsOf } from "../proc.ts";
import { newSession, programOf, runTurn, type Scenario, withAgent } from "../scenario.ts";
import { DELTAS, PLAIN_DELTAS, ROUNDS } from "../script.ts";

export const firstChunk: Scenario = {
  id: "first-chunk",
  sides: ["ours", "floor"],
  repeat: 1,
  run: (side, room) =>
    withAgent(programOf(side), room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const plain = () => runTurn(agent, sessionId, "plain", PLAIN_DELTAS);
      for (let turn = 0; turn < 20; turn++) await plain();
      const turns = [];
      for (let turn = 0; turn < 40; turn++) turns.push(await plain());
      return {
        firstMs: median(turns.map(({ firstChunkMs }) => firstChunkMs)),
        turnMs: median(turns.map(({ wallMs }) => wallMs)),
      };
    }),
};

export const deltas: Scenario = {
  id: "deltas",
  sides: ["ours", "floor", "inline"],
  repeat: 2,
  run: (side, room) =>
    withAgent(programOf(side), room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const turns = async (count: number) => {
        const before = cpuMsOf(agent.pid);
        let wallMs = 0;
        for (let turn = 0; turn < count; turn++) wallMs += (await runTurn(agent, sessionId, "deltas", DELTAS)).wallMs;
        const cpuMs = cpuMsOf(agent.pid) - before;
        return { cpuUs: (cpuMs / count / DELTAS) * 1000, perSecond: ((count * DELTAS) / wallMs) * 1000 };
      };
      const cold = await turns(1);
      const warm = await turns(3);
      // By now the compiler's threads, which count, are through with it.
      const steady = await turns(10);
      return { ...warm, coldCpuUs: cold.cpuUs, steadyCpuUs: steady.cpuUs };
    }),
};

export const rounds: Scenario = {
  id: "rounds",
  sides: ["ours", "floor", "inline"],
  repeat: 1,
  run: (side, room) =>
    withAgent(programOf(side), room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const turn = () => runTurn(agent, sessionId, "rounds", 1);
      for (let again = 0; again < 3; again++) await turn();
      const before = cpuMsOf(agent.pid);
      const turns = [];
      for (let again = 0; again < 8; again++) turns.push((await turn()).wallMs);
      return {
        roundMs: median(turns) / ROUNDS,
        cpuMs: (cpuMsOf(agent.pid) - before) / turns.length / ROUNDS,
      };
    }),
};
