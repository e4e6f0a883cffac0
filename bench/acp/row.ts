// The rows of the table: which figure of which scenario is compared with whom, and the bar it has to reach.

import type { Figure, ScenarioId, Side } from "./scenario.ts";

export const rowIds = ["small", "mixed", "flight", "sequential", "replay", "start", "memory", "import"] as const;
export type RowId = (typeof rowIds)[number];

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export interface Row {
  readonly id: RowId;
  readonly name: string;
  readonly scenario: ScenarioId;
  readonly figure: Figure;
  readonly unit: string;
  readonly ours: Side;
  readonly peer: Side;
  /** Whose figure of the same round is subtracted from both before they are compared. */
  readonly floor?: Side;
  /** How many times less we need, what part of the peer's we need or do, or our figure alone. */
  readonly ratio: "peer/ours" | "ours/peer" | "ours";
  /** Without a bar the row is for the reader. */
  readonly bar?: Bar;
}

const vs = { ours: "agentao", peer: "official" } as const;
const vsRaw = { ours: "agentao", peer: "raw" } as const;
const vsRawGroup = { ours: "agentao", peer: "raw/group" } as const;

const cpuEach = { figure: "cpuUs", unit: "µs", ratio: "peer/ours" } as const;
const perSecond = { figure: "perSecond", unit: "/s", ratio: "ours/peer" } as const;
const p50 = { figure: "p50Us", unit: "µs", ratio: "ours/peer" } as const;
const wall = { figure: "wallMs", unit: "ms", ratio: "peer/ours" } as const;
const aboveBare = { figure: "cpuMs", unit: "ms", floor: "bare" } as const;

export const rows: readonly Row[] = [
  row("small", "small update (30 B text), CPU of both sides", { ...vs, ...cpuEach, bar: { atLeast: 10 } }),
  row("mixed", "mixed turn, CPU per update of both sides", { ...vs, ...cpuEach, bar: { atLeast: 8 } }),
  row("flight", "64 requests in flight, throughput", { ...vs, ...perSecond, bar: { atLeast: 5 } }),
  row("sequential", "sequential round trip, p50", { ...vsRaw, ...p50, bar: { atMost: 1.15 } }),
  row("replay", "cold replay of 5,000 mixed updates, wall", { ...vs, ...wall, bar: { atLeast: 7 } }),
  row("start", "spawn to `initialize` answer, CPU above bare node", {
    ...vs,
    ...aboveBare,
    ratio: "ours/peer",
    bar: { atMost: 0.15 },
  }),
  row("memory", "peak RSS of the client after 100,000 updates", {
    ...vs,
    figure: "peakRssMb",
    unit: "MB",
    ratio: "ours/peer",
    bar: { atMost: 0.6 },
  }),
  row("import", "import of `@agentao/acp`, CPU above bare node", {
    ...vs,
    ...aboveBare,
    ratio: "ours",
    bar: { atMost: 15 },
  }),
  row("import", "import of `@agentao/acp/node`, CPU above bare node", {
    ...aboveBare,
    ours: "agentao/node",
    peer: "official",
    ratio: "ours",
    bar: { atMost: 15 },
  }),
  row("small", "small update, CPU of both sides", { ...vsRaw, ...cpuEach }),
  row("small", "small updates, throughput", { ...vs, ...perSecond }),
  row("mixed", "mixed turn, CPU per update of both sides", { ...vsRaw, ...cpuEach }),
  row("mixed", "mixed turn, throughput", { ...vs, ...perSecond }),
  row("flight", "64 requests in flight, CPU per request of both sides", { ...vs, ...cpuEach }),
  row("flight", "64 requests in flight, throughput", { ...vsRaw, ...perSecond }),
  row("sequential", "sequential round trip, p50, agents started alike", { ...vsRawGroup, ...p50 }),
  row("sequential", "sequential round trip, CPU of both sides, agents started alike", {
    ...vsRawGroup,
    figure: "cpuUs",
    unit: "µs",
    ratio: "ours/peer",
  }),
  row("replay", "cold replay of 5,000 mixed updates, CPU of both sides", {
    ...vs,
    figure: "cpuMs",
    unit: "ms",
    ratio: "peer/ours",
  }),
  row("start", "spawn to `initialize` answer, CPU above bare node", { ...vsRaw, ...aboveBare, ratio: "ours/peer" }),
  row("start", "spawn to `initialize` answer, wall", { ...vs, figure: "wallMs", unit: "ms", ratio: "ours/peer" }),
  row("import", "import of `@agentao/acp/node`, wall above bare node", {
    figure: "wallMs",
    unit: "ms",
    floor: "bare",
    ours: "agentao/node",
    peer: "official",
    ratio: "ours",
  }),
];

export function isRowId(id: string): id is RowId {
  return (rowIds as readonly string[]).includes(id);
}

/** Memory is read off the 100,000 small updates; every other row has a scenario of its own name. */
function row(id: RowId, name: string, rest: Omit<Row, "id" | "name" | "scenario">): Row {
  return { id, name, scenario: id === "memory" ? "small" : id, ...rest };
}
