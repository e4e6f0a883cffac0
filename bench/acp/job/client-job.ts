// What every client under test does, whatever library carries it. Each job measures its part between two readings of
// both processes, and checks that every update came, once and in order; else it throws.

import { PING, PREPARE, REPLAYED, USAGE } from "./agent-job.ts";
import { createTraffic, type TrafficType, toMark } from "./traffic.ts";
import { readUsage, type Usage } from "./usage.ts";

export type Job =
  /** One turn to warm up, one that is measured. */
  | { readonly type: "stream"; readonly traffic: TrafficType; readonly warmUp: number; readonly count: number }
  /** Pings, so many at a time. */
  | { readonly type: "ping"; readonly inFlight: number; readonly warmUp: number; readonly count: number }
  /** `session/load` in processes that have done nothing before. */
  | { readonly type: "replay" };

/** What a job measured. CPU is that of both processes, all threads. */
export interface Measured {
  readonly count: number;
  readonly wallMs: number;
  readonly agentCpuUs: number;
  readonly clientCpuUs: number;
  readonly clientPeakRssKb: number;
  /** The median time of one call; null where calls are not timed one by one. */
  readonly p50Us: number | null;
}

/** One client, connected and initialized, with one session to prompt in. */
export interface ClientUnderTest {
  readonly agentPid: number;
  prompt(text: string): Promise<unknown>;
  load(): Promise<unknown>;
  extRequest(method: string, params: object): Promise<unknown>;
  /** Resolves when the agent's process has ended. */
  close(): Promise<void>;
}

export type Connect = (
  agent: readonly [string, ...string[]],
  onUpdate: (update: unknown) => void,
) => Promise<ClientUnderTest>;

/** Runs the job named by the arguments, and prints the agent's pid, then what was measured. */
export async function runClient(connect: Connect): Promise<void> {
  const [job, agent] = JSON.parse(process.argv[2] ?? "") as [Job, [string, ...string[]]];
  const arrivals = new Arrivals(job.type === "ping" ? "small" : job.type === "replay" ? "mixed" : job.traffic);
  const client = await connect(agent, (update) => arrivals.add(update));
  process.stdout.write(`${JSON.stringify({ agentPid: client.agentPid })}\n`);
  await client.extRequest(PREPARE, { type: arrivals.type });
  const measured = await runJob(job, client, arrivals);
  await client.close();
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

function runJob(job: Job, client: ClientUnderTest, arrivals: Arrivals): Promise<Measured> {
  switch (job.type) {
    case "stream":
      return streamTurn(job.warmUp, job.count, client, arrivals);
    case "ping":
      return ping(job.inFlight, job.warmUp, job.count, client);
    case "replay":
      return measure(client, REPLAYED, async () => {
        await client.load();
        await arrivals.complete(REPLAYED);
      });
  }
}

async function streamTurn(warmUp: number, count: number, client: ClientUnderTest, arrivals: Arrivals) {
  const turn = async (length: number): Promise<void> => {
    await client.prompt(String(length));
    await arrivals.complete(length);
  };
  await turn(warmUp);
  return await measure(client, count, () => turn(count));
}

async function ping(inFlight: number, warmUp: number, count: number, client: ClientUnderTest): Promise<Measured> {
  await pingAll(client, inFlight, warmUp);
  let times: Float64Array = new Float64Array();
  const measured = await measure(client, count, async () => {
    times = await pingAll(client, inFlight, count);
  });
  return { ...measured, p50Us: (times.sort()[count >> 1] ?? Number.NaN) * 1000 };
}

/** The time of each call, in milliseconds. */
async function pingAll(client: ClientUnderTest, inFlight: number, count: number): Promise<Float64Array> {
  const times = new Float64Array(count);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const n = next++;
      const start = performance.now();
      const answer = (await client.extRequest(PING, { n })) as { n?: number };
      times[n] = performance.now() - start;
      if (answer.n !== n) throw new Error(`ping ${n} was answered ${JSON.stringify(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return times;
}

async function measure(client: ClientUnderTest, count: number, run: () => Promise<void>): Promise<Measured> {
  const agentBefore = (await client.extRequest(USAGE, {})) as Usage;
  const before = readUsage();
  const start = performance.now();
  await run();
  const wallMs = performance.now() - start;
  const after = readUsage();
  const agentAfter = (await client.extRequest(USAGE, {})) as Usage;
  return {
    count,
    wallMs,
    agentCpuUs: agentAfter.cpuUs - agentBefore.cpuUs,
    clientCpuUs: after.cpuUs - before.cpuUs,
    clientPeakRssKb: after.peakRssKb,
    p50Us: null,
  };
}

/** Updates as they come, compared with those that were agreed on. */
class Arrivals {
  readonly type: TrafficType;
  readonly #marks: readonly (string | undefined)[];
  #count = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #problem: string | undefined;
  #wake: (() => void) | undefined;

  constructor(type: TrafficType) {
    this.type = type;
    this.#marks = createTraffic(type).map(toMark);
  }

  add(update: unknown): void {
    const at = this.#count++;
    if (toMark(update) !== this.#marks[at % this.#marks.length]) {
      this.#problem ??= `update ${at} is not the one that was sent: ${JSON.stringify(update)}`;
    }
    if (this.#count === this.#wanted) this.#wake?.();
  }

  /**
   * Resolves when that many have come, and begins to count anew. A library may answer a prompt before it has handed out
   * the updates that came earlier; that is not held against it here, as long as they come.
   */
  async complete(wanted: number): Promise<void> {
    if (this.#count < wanted) {
      this.#wanted = wanted;
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        setTimeout(() => reject(new Error(`${this.#count} of ${wanted} updates came`)), LATE_MS).unref();
      });
      this.#wanted = Number.POSITIVE_INFINITY;
    }
    if (this.#count !== wanted) throw new Error(`${this.#count} updates came instead of ${wanted}`);
    if (this.#problem !== undefined) throw new Error(this.#problem);
    this.#count = 0;
  }
}

const LATE_MS = 5_000;
