// What a scenario is: it runs one side in fresh processes, checks what came out, and answers what it measured.

import type { Figures } from "../harness/scenario.ts";
import type { AgentProcess, Answer } from "./agent-process.ts";
import type { Program, Stage } from "./stage.ts";

export type Side = "ours" | "floor" | "inline";

/** Where the processes come from, and where their CPU profiles go if there shall be any. */
export interface Room {
  readonly stage: Stage;
  readonly profiles: string | undefined;
}

export interface Scenario {
  readonly id: string;
  readonly sides: readonly Side[];
  /** Runs per round: what is short is repeated. */
  readonly repeat: number;
  run(side: Side, room: Room): Promise<Figures>;
}

interface UseOptions {
  readonly home?: string | undefined;
  readonly capabilities?: object | undefined;
}

/** Runs an agent that has answered `initialize`, and ends it whatever happens. */
export async function withAgent(
  program: Program,
  { stage, profiles }: Room,
  use: (agent: AgentProcess) => Promise<Figures>,
  { home, capabilities = {} }: UseOptions = {},
): Promise<Figures> {
  const agent = stage.start(program, { home, profiles });
  try {
    await initialize(agent, capabilities);
    return await use(agent);
  } finally {
    await agent.end();
  }
}

export async function initialize(agent: AgentProcess, clientCapabilities: object = {}): Promise<Answer> {
  const answer = await agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  if (answer.result.protocolVersion !== 1) throw new Error(`initialize: ${JSON.stringify(answer.result)}`);
  return answer;
}

export async function newSession(agent: AgentProcess, { stage }: Room): Promise<string> {
  const { result } = await agent.request("session/new", { cwd: stage.workspace, mcpServers: [] });
  if (typeof result.sessionId !== "string") throw new Error(`session/new: ${JSON.stringify(result)}`);
  return result.sessionId;
}

export interface Turn {
  readonly wallMs: number;
  readonly firstChunkMs: number;
}

/** One turn. Throws unless it ends by itself with so many chunks. */
export async function runTurn(agent: AgentProcess, sessionId: string, text: string, chunks: number): Promise<Turn> {
  const before = agent.chunks;
  const first = agent.next('"agent_message_chunk"');
  const startedAt = performance.now();
  const { result, at } = await prompt(agent, sessionId, text);
  const got = agent.chunks - before;
  if (result.stopReason !== "end_turn" || got !== chunks) {
    throw new Error(`"${text}" ended with ${result.stopReason} after ${got} of ${chunks} chunks`);
  }
  return { wallMs: at - startedAt, firstChunkMs: (await first) - startedAt };
}

export function prompt(agent: AgentProcess, sessionId: string, text: string): Promise<Answer> {
  return agent.request("session/prompt", toPrompt(sessionId, text));
}

export function toPrompt(sessionId: string, text: string): object {
  return { sessionId, prompt: [{ type: "text", text }] };
}

export function programOf(side: Side): Program {
  return side === "ours" ? "scenario" : side;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether it became true in time. */
export async function within(ms: number, condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await pause(2);
  }
  return true;
}
