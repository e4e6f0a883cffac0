// The program between a client and an agent: what each message that passes costs.

import { join } from "node:path";
import { AgentProcess } from "../../agent/agent-process.ts";
import { cpuMsOf } from "../../agent/proc.ts";
import { initialize } from "../../agent/scenario.ts";
import { DELTAS } from "../../agent/script.ts";
import type { Scenario } from "../../harness/scenario.ts";
import type { Stage } from "../stage.ts";

const TURNS = 4;

export function toProxyScenarios(stage: Stage): Scenario[] {
  const record = ["--record", join(stage.root, "recording.jsonl")];
  return [
    {
      id: "proxy",
      sides: ["ours", "floor"],
      atMostRounds: 7,
      run: (side) => measure(stage, side === "ours" ? [] : undefined),
    },
    { id: "proxy-record", sides: ["ours"], atMostRounds: 5, run: () => measure(stage, record) },
  ];
}

/** Without options of the proxy there is none. */
async function measure(stage: Stage, options: readonly string[] | undefined) {
  const command = [stage.program, "--acp", "--stdio"];
  const proxy = [stage.program, "acp", "proxy", "--quiet", ...(options ?? []), "--", process.execPath];
  const args = options === undefined ? command : [...proxy, ...command];
  const agent = new AgentProcess(args, { cwd: stage.workspace, env: stage.env("scenario") });
  try {
    await initialize(agent);
    const { result } = await agent.request("session/new", { cwd: stage.workspace, mcpServers: [] });
    await runTurn(agent, result.sessionId);
    const [cpuBefore, startedAt] = [cpuMsOf(agent.pid), performance.now()];
    for (let turn = 0; turn < TURNS; turn++) await runTurn(agent, result.sessionId);
    const messages = TURNS * DELTAS;
    return {
      cpuUs: ((cpuMsOf(agent.pid) - cpuBefore) / messages) * 1000,
      eachUs: ((performance.now() - startedAt) / messages) * 1000,
    };
  } finally {
    await agent.end();
  }
}

async function runTurn(agent: AgentProcess, sessionId: string): Promise<void> {
  const before = agent.chunks;
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "deltas" }] });
  if (agent.chunks - before !== DELTAS) throw new Error(`${agent.chunks - before} of ${DELTAS} updates came through`);
}
