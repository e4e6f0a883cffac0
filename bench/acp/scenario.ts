// What is run: a client and an agent of one library, or a start, in fresh processes.

import type { Figures, Scenario } from "../harness/scenario.ts";
import { Child } from "./child.ts";
import type { Job, Measured } from "./job/client-job.ts";
import type { Script, Stage } from "./stage.ts";

type Side = "agentao" | "agentao/node" | "official" | "raw" | "raw/group" | "bare";

/** Where the processes come from, and where their CPU profiles go if there shall be any. */
export interface Room {
  readonly stage: Stage;
  readonly profiles: string | undefined;
}

type Run = (side: Side, room: Room) => Promise<Figures>;

type Library = "agentao" | "official" | "raw";

export function toScenarios(room: Room): readonly Scenario<Side>[] {
  const scenario = (id: string, sides: readonly Side[], run: Run, repeat = 1): Scenario<Side> => {
    return { id, sides, repeat, run: (side) => run(side, room) };
  };
  return [
    scenario("small", ALL, runner({ type: "stream", traffic: "small", warmUp: 20_000, count: 80_000 })),
    scenario("mixed", ALL, runner({ type: "stream", traffic: "mixed", warmUp: 20_000, count: 40_000 })),
    scenario("flight", ALL, runner({ type: "ping", inFlight: 64, warmUp: 10_000, count: 20_000 }), 2),
    scenario(
      "sequential",
      ["agentao", "raw", "raw/group"],
      runner({ type: "ping", inFlight: 1, warmUp: 8_000, count: 4_000 }),
      2,
    ),
    scenario("replay", ["agentao", "official"], runner({ type: "replay" }), 3),
    scenario("start", ["bare", "agentao", "raw", "official"], leastOf(start)),
    scenario("import", ["bare", "agentao", "agentao/node", "official"], leastOf(load)),
    scenario("dependencies", ["agentao", "official"], countDependencies),
  ];
}

const ALL = ["agentao", "official", "raw"] as const;

function runner(job: Job): Run {
  // What follows the slash is for the client: how to start its agent.
  return (side, room) => {
    const [library, ...how] = side.split("/") as [Library, ...string[]];
    return runJob(library, how, job, room);
  };
}

/** The client is our child, the agent the client's, as users start them. */
async function runJob(library: Library, how: readonly string[], job: Job, room: Room): Promise<Figures> {
  const agent = [process.execPath, ...toArgs(`agent/${library}.js`, room)];
  const args = [...toArgs(`client/${library}.js`, room), JSON.stringify([job, agent]), ...how];
  const client = new Child(args, room.stage.root);
  try {
    client.adopt(JSON.parse(await client.line()).agentPid);
    const measured = JSON.parse(await client.line()) as Measured;
    await client.finish();
    return toFigures(measured);
  } finally {
    await client.end();
  }
}

/** What Node is told to run a script. Of several runs, the last one's profile stays. */
function toArgs(script: Script, { stage, profiles }: Room): string[] {
  if (profiles === undefined) return [stage.path(script)];
  const name = `${script.replaceAll("/", "-")}.cpuprofile`;
  return ["--cpu-prof", `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}`, stage.path(script)];
}

function toFigures({ count, wallMs, agentCpuUs, clientCpuUs, clientPeakRssKb, p50Us }: Measured): Figures {
  const cpuUs = agentCpuUs + clientCpuUs;
  return {
    cpuUs: cpuUs / count,
    cpuMs: cpuUs / 1000,
    wallMs,
    perSecond: (count / wallMs) * 1000,
    peakRssMb: clientPeakRssKb / 1024,
    ...(p50Us !== null && { p50Us }),
  };
}

/** What disturbs a start only ever adds to it: of a few in a row, the least counts. */
export const STARTS = 4;

function leastOf(run: Run): Run {
  return async (side, room) => {
    let { cpuMs = Number.NaN, wallMs = Number.NaN } = await run(side, room);
    for (let again = 1; again < STARTS; again++) {
      const next = await run(side, room);
      cpuMs = Math.min(cpuMs, next.cpuMs ?? Number.NaN);
      wallMs = Math.min(wallMs, next.wallMs ?? Number.NaN);
    }
    return { cpuMs, wallMs };
  };
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** From the start of an agent to its answer to `initialize`, which waits in its pipe from the beginning. */
function start(side: Side, room: Room): Promise<Figures> {
  if (side === "bare") return untilFirstLine("bare.cjs", room);
  return untilFirstLine(`agent/${side as Library}.js`, room, INITIALIZE);
}

async function countDependencies(side: Side, { stage }: Room): Promise<Figures> {
  const name = side === "official" ? "@agentclientprotocol/sdk" : "@agentao/acp";
  return { count: stage.facts(name).dependencies.length };
}

/** From the start of a process to the end of its imports. */
function load(side: Side, room: Room): Promise<Figures> {
  switch (side) {
    case "agentao":
      return untilFirstLine("import-agentao.cjs", room);
    case "agentao/node":
      return untilFirstLine("import-agentao-node.cjs", room);
    case "official":
      return untilFirstLine("import-official.cjs", room);
    default:
      return untilFirstLine("bare.cjs", room);
  }
}

async function untilFirstLine(script: Script, room: Room, request?: string): Promise<Figures> {
  const startedAt = performance.now();
  const child = new Child(toArgs(script, room), room.stage.root);
  try {
    if (request !== undefined) child.write(request);
    const line = await child.line();
    const figures = { cpuMs: child.cpuNs() / 1e6, wallMs: performance.now() - startedAt };
    if (request !== undefined) checkInitialized(line);
    if (room.profiles !== undefined) await child.endGently();
    return figures;
  } finally {
    await child.end();
  }
}

function checkInitialized(line: string): void {
  const { id, result } = JSON.parse(line);
  if (id !== 0 || result?.protocolVersion !== 1) throw new Error(`initialize was answered with ${line}`);
}
