// What is written down, and what it costs later: bytes per turn, turns on a long history, the replay of a long session.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../../harness/median.ts";
import type { Figures } from "../../harness/scenario.ts";
import { type AgentProcess, RefusedError } from "../agent-process.ts";
import { cpuMsOf, writtenBytesOf } from "../proc.ts";
import { initialize, newSession, pause, type Room, runTurn, type Scenario, withAgent } from "../scenario.ts";
import { PLAIN_DELTAS } from "../script.ts";

export const disk: Scenario = {
  id: "disk",
  sides: ["ours"],
  repeat: 1,
  run: (_side, room) =>
    withAgent("scenario", room, async (agent) => {
      const sessionId = await newSession(agent, room);
      const bytes = async (text: string, chunks: number, turns: number): Promise<number> => {
        await runTurn(agent, sessionId, text, chunks);
        const before = fileBytes(agent);
        for (let turn = 0; turn < turns; turn++) await runTurn(agent, sessionId, text, chunks);
        return (fileBytes(agent) - before) / turns / 1024;
      };
      return { plainKb: await bytes("plain", PLAIN_DELTAS, 40), readKb: await bytes("read", 1, 40) };
    }),
};

/** What it wrote and did not send to us. Wake-ups between its threads count too: some bytes. */
function fileBytes(agent: AgentProcess): number {
  return writtenBytesOf(agent.pid) - agent.readBytes;
}

const BLOCK = 10;
const BLOCKS = 8;

/** Two sessions of one process, ten turns of one and ten of the other, so that both have the same weather. */
export const history: Scenario = {
  id: "history",
  sides: ["ours"],
  repeat: 1,
  async run(_side, room) {
    const { home, short, long } = await prepare(room);
    return withAgent("scenario", room, (agent) => compare(agent, short, long, room), {
      home: room.stage.copyHome(home),
    });
  },
};

async function compare(agent: AgentProcess, short: string, long: string, room: Room): Promise<Figures> {
  for (const sessionId of [short, long]) {
    await agent.request("session/resume", { sessionId, cwd: room.stage.workspace, mcpServers: [] });
  }
  const block = async (sessionId: string) => {
    const before = cpuMsOf(agent.pid);
    const walls = [];
    for (let turn = 0; turn < BLOCK; turn++) {
      walls.push((await runTurn(agent, sessionId, "plain", PLAIN_DELTAS)).wallMs);
    }
    return { cpuMs: (cpuMsOf(agent.pid) - before) / BLOCK, walls };
  };
  const [shorts, longs] = [[], []] as [Awaited<ReturnType<typeof block>>[], Awaited<ReturnType<typeof block>>[]];
  for (const sessionId of [short, long]) await block(sessionId);
  for (let again = 0; again < BLOCKS; again++) {
    shorts.push(await block(short));
    longs.push(await block(long));
  }
  const cpu = (blocks: typeof shorts): number => median(blocks.map(({ cpuMs }) => cpuMs));
  const wall = (blocks: typeof shorts): number => median(blocks.flatMap(({ walls }) => walls));
  return {
    shortCpuMs: cpu(shorts),
    longCpuMs: cpu(longs),
    cpuRatio: cpu(longs) / cpu(shorts),
    wallRatio: wall(longs) / wall(shorts),
  };
}

const PING_MS = 10;

/** The program as it was built. Meanwhile it is asked something it does not know, every ten milliseconds. */
export const load: Scenario = {
  id: "load",
  sides: ["ours"],
  repeat: 1,
  async run(_side, room) {
    const { home, big, bigChunks } = await prepare(room);
    const agent = room.stage.start("agentao", { home: room.stage.copyHome(home), profiles: room.profiles });
    try {
      await initialize(agent);
      const pings: Promise<number>[] = [];
      const timer = setInterval(() => pings.push(ping(agent)), PING_MS);
      const askedAt = performance.now();
      const loaded = await agent
        .request("session/load", { sessionId: big, cwd: room.stage.workspace, mcpServers: [] })
        .finally(() => clearInterval(timer));
      const took = await Promise.all(pings);
      if (agent.chunks !== bigChunks) throw new Error(`${agent.chunks} of ${bigChunks} chunks were replayed`);
      return {
        wallMs: loaded.at - askedAt,
        pingMs: Math.max(0, ...took),
        pings: took.length,
        cpuMs: cpuMsOf(agent.pid),
      };
    } finally {
      await agent.end();
    }
  },
};

async function ping(agent: AgentProcess): Promise<number> {
  const askedAt = performance.now();
  const answer: unknown = await agent.request("_bench/ping", {}).catch((cause) => cause);
  if (!(answer instanceof RefusedError)) throw answer;
  return answer.at - askedAt;
}

interface Prepared {
  readonly home: string;
  /** Sessions of 20 and of 2,000 plain turns, and one of 10,000 entries. */
  readonly short: string;
  readonly long: string;
  readonly big: string;
  readonly bigChunks: number;
}

const ENTRIES = 10_000;
const prepared = new WeakMap<object, Promise<Prepared>>();

/** Stored sessions, made once by real turns. */
function prepare(room: Room): Promise<Prepared> {
  const known = prepared.get(room.stage) ?? make(room);
  prepared.set(room.stage, known);
  return known;
}

async function make(room: Room): Promise<Prepared> {
  const home = room.stage.makeHome();
  const agent = room.stage.start("scenario", { home });
  try {
    await initialize(agent);
    const plainTurns = async (turns: number): Promise<string> => {
      const sessionId = await newSession(agent, room);
      for (let turn = 0; turn < turns; turn++) await runTurn(agent, sessionId, "plain", PLAIN_DELTAS);
      return sessionId;
    };
    const [short, long] = [await plainTurns(20), await plainTurns(2_000)];
    const big = await newSession(agent, room);
    let bigChunks = 0;
    while (entriesOf(home, big) < ENTRIES) {
      // A replay tells a text in as many chunks as it has pieces in the journal: one, if it came at once.
      for (const [text, chunks] of [
        ["plain", PLAIN_DELTAS],
        ["plain", PLAIN_DELTAS],
        ["rounds", 1],
      ] as const) {
        await runTurn(agent, big, text, chunks);
        bigChunks++;
      }
    }
    await pause(10);
    return { home, short, long, big, bigChunks };
  } finally {
    await agent.end();
  }
}

function entriesOf(home: string, sessionId: string): number {
  const folder = join(home, "sessions");
  const name = readdirSync(folder).find((file) => file.startsWith(sessionId) && file.endsWith(".jsonl"));
  if (name === undefined) throw new Error(`there is no journal of ${sessionId} in ${folder}`);
  return readFileSync(join(folder, name), "latin1").split("\n").length - 1;
}
