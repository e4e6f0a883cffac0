// The rows of the table: which figure of which scenario is compared with whom, and the bar it has to reach.

import type { Row } from "../harness/row.ts";

const vs = { ours: "agentao", peer: "official" } as const;
const vsRaw = { ours: "agentao", peer: "raw" } as const;
const vsRawGroup = { ours: "agentao", peer: "raw/group" } as const;

const cpuEach = { figure: "cpuUs", unit: "µs", compared: "less" } as const;
const perSecond = { figure: "perSecond", unit: "/s", compared: "ratio" } as const;
const p50 = { figure: "p50Us", unit: "µs", compared: "ratio" } as const;
const wall = { figure: "wallMs", unit: "ms", compared: "less" } as const;
const aboveBare = { figure: "cpuMs", unit: "ms", under: "bare" } as const;

export const rows: readonly Row[] = [
  row("small", "small update (30 B text), CPU of both sides", { ...vs, ...cpuEach, bar: { atLeast: 10 } }),
  row("mixed", "mixed turn, CPU per update of both sides", { ...vs, ...cpuEach, bar: { atLeast: 8 } }),
  row("flight", "64 requests in flight, throughput", { ...vs, ...perSecond, bar: { atLeast: 5 } }),
  row("sequential", "sequential round trip, p50", { ...vsRaw, ...p50, bar: { atMost: 1.15 } }),
  row("replay", "cold replay of 5,000 mixed updates, wall", { ...vs, ...wall, bar: { atLeast: 7 } }),
  row("start", "spawn to `initialize` answer, CPU above bare node", {
    ...vs,
    ...aboveBare,
    compared: "ratio",
    bar: { atMost: 0.15 },
  }),
  row("small", "peak RSS of the client after 100,000 updates", {
    ...vs,
    figure: "peakRssMb",
    unit: "MB",
    compared: "ratio",
    bar: { atMost: 0.6 },
  }),
  row("import", "import of `@agentao/acp`, CPU above bare node", {
    ...vs,
    ...aboveBare,
    compared: "ours",
    bar: { atMost: 15 },
  }),
  row("import", "import of `@agentao/acp/node`, CPU above bare node", {
    ...aboveBare,
    ours: "agentao/node",
    peer: "official",
    compared: "ours",
    bar: { atMost: 15 },
  }),
  row("dependencies", "runtime dependencies", {
    ...vs,
    figure: "count",
    unit: "",
    compared: "ours",
    bar: { atMost: 0 },
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
    compared: "ratio",
  }),
  row("replay", "cold replay of 5,000 mixed updates, CPU of both sides", {
    ...vs,
    figure: "cpuMs",
    unit: "ms",
    compared: "less",
  }),
  row("start", "spawn to `initialize` answer, CPU above bare node", { ...vsRaw, ...aboveBare, compared: "ratio" }),
  row("start", "spawn to `initialize` answer, wall", { ...vs, figure: "wallMs", unit: "ms", compared: "ratio" }),
  row("import", "import of `@agentao/acp/node`, wall above bare node", {
    figure: "wallMs",
    unit: "ms",
    under: "bare",
    ours: "agentao/node",
    peer: "official",
    compared: "ours",
  }),
];

function row(scenario: string, name: string, rest: Omit<Row, "scenario" | "name" | "counts">): Row {
  return { scenario, name, counts: "median", ...rest };
}
