// The rows of the table: which figure of which scenario is judged, how, and the bar it has to reach.

export interface Row {
  readonly name: string;
  readonly scenario: string;
  readonly figure: string;
  readonly unit: string;
  /** What is judged: how many times the floor's we need, how far we are above it, or our figure alone. */
  readonly compared: "ratio" | "above" | "ours";
  /** Whom we are compared with. */
  readonly peer: "floor" | "inline";
  /** Of all rounds: the median, or the worst where every single one has to do. */
  readonly counts: "median" | "worst";
  /** Without one the row is for the reader. */
  readonly atMost?: number;
}

export const rows: readonly Row[] = [
  ratio("start", "wallMs", "spawn to `initialize` answer, wall", "ms", 1.4),
  ratio("start", "cpuMs", "spawn to `initialize` answer, CPU", "ms", 1.4),
  ratio("start", "rssMb", "RSS after `initialize`", "MB", 1.35),
  alone("new", "wallMs", "first `session/new`", "ms", 25),
  alone("first-chunk", "firstMs", "prompt to first chunk, warm", "ms", 5),
  ratio("deltas", "cpuUs", "5,000 deltas, CPU per delta", "µs", 2),
  { ...alone("rounds", "roundMs", "one tool round of 20, above the floor", "ms", 2), compared: "above" },
  alone("provider-first", "firstMs", "prompt to first chunk by a provider, warm", "ms", 5),
  ratio("provider-cold", "firstMs", "spawn to first chunk by a provider", "ms", 3),
  ratio("provider-deltas", "eachUs", "5,000 deltas by a provider, wall per delta", "µs", 2),
  alone("provider-bytes", "changedPercent", "of a request, not repeated by the next of its turn", "%", 5),
  alone("provider-bytes", "helloKb", "sent to the model for one word", "KB", 14),
  worst("provider-stalled", "cancelMs", "cancel of a provider that stalls", "ms", 100),
  worst("provider-stalled", "closedMs", "until its connection is closed", "ms", 100),
  worst("cancel-at-once", "cancelMs", "cancel 0 ms after the prompt", "ms", 100),
  worst("cancel-streaming", "cancelMs", "cancel mid-stream", "ms", 100),
  worst("cancel-stalled", "cancelMs", "cancel of a stalled stream", "ms", 100),
  worst("cancel-shell", "cancelMs", "cancel of a command that ignores TERM", "ms", 100),
  worst("cancel-permission", "cancelMs", "cancel with an open permission", "ms", 100),
  worst("cancel-fs", "cancelMs", "cancel with an unanswered fs request", "ms", 100),
  worst("exit-idle", "exitMs", "EOF to exit, idle", "ms", 150),
  worst("exit-stream", "exitMs", "EOF to exit, mid-stream", "ms", 500),
  worst("exit-command", "exitMs", "EOF to exit, a command running", "ms", 500),
  worst("exit-command", "left", "processes left after it", "", 0),
  alone("disk", "plainKb", "written to disk per plain turn", "KB", 3),
  alone("history", "cpuRatio", "CPU of a turn after 2,000 turns, by that after 20", "×", 1.5),
  alone("load", "wallMs", "`session/load` of 10,000 entries", "ms", 1_000),
  alone("load", "pingMs", "slowest other request meanwhile", "ms", 50),
  alone("sessions", "eachKb", "RSS per additional idle session", "KB", 300),
  alone("mcp-new", "moreMs", "first `session/new` with MCP servers that do not answer, more than without", "ms", 25),
  alone("mcp-call", "aboveMs", "call of an MCP tool over stdio, above the library's own", "ms", 0.3),

  ratio("new", "coldMs", "spawn to `session/new` answer", "ms"),
  ratio("first-chunk", "firstMs", "prompt to first chunk, warm", "ms"),
  ratio("first-chunk", "turnMs", "plain turn, warm", "ms"),
  {
    ...ratio("deltas", "cpuUs", "5,000 deltas, CPU per delta, by a floor with its model inside", "µs"),
    peer: "inline",
  },
  {
    ...ratio("deltas", "steadyCpuUs", "the same in the turns 5 to 14 of the process", "µs"),
    peer: "inline",
  },
  ratio("deltas", "steadyCpuUs", "5,000 deltas, CPU per delta, turns 5 to 14 of the process", "µs"),
  { ...ratio("rounds", "cpuMs", "one tool round of 20, CPU, by a floor with its model inside", "ms"), peer: "inline" },
  {
    ...alone("rounds", "roundMs", "one tool round of 20, above a floor with its model inside", "ms"),
    compared: "above",
    peer: "inline",
  },
  ratio("deltas", "coldCpuUs", "5,000 deltas, CPU per delta, first turn of the process", "µs"),
  ratio("deltas", "perSecond", "deltas per second", "/s"),
  ratio("rounds", "cpuMs", "one tool round of 20, CPU", "ms"),
  ratio("provider-first", "firstMs", "prompt to first chunk by a provider, warm", "ms"),
  ratio("provider-first", "turnMs", "plain turn by a provider, warm", "ms"),
  ratio("provider-deltas", "perSecond", "deltas per second by a provider", "/s"),
  worst("cancel-at-once", "nextMs", "next turn after a cancel at once", "ms"),
  worst("cancel-shell", "goneMs", "until the command that ignores TERM is gone", "ms"),
  worst("cancel-shell", "nextMs", "next turn after it", "ms"),
  worst("cancel-fs", "nextMs", "next turn after an unanswered fs request", "ms"),
  alone("disk", "readKb", "written to disk per turn with one file read", "KB"),
  alone("history", "longCpuMs", "CPU of a plain turn after 2,000 turns", "ms"),
  alone("history", "shortCpuMs", "CPU of a plain turn after 20 turns", "ms"),
  alone("history", "wallRatio", "wall of a turn after 2,000 turns, by that after 20", "×"),
  alone("load", "cpuMs", "start and load of 10,000 entries, CPU", "ms"),
  ratio("sessions", "newMs", "`session/new`, each of 200", "ms"),
  alone("mcp-new", "wallMs", "first `session/new` with MCP servers that do not answer", "ms"),
  alone("mcp-call", "callMs", "call of an MCP tool over stdio", "ms"),
  alone("mcp-call", "libraryMs", "the same by the library alone", "ms"),
];

function ratio(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  return { ...alone(scenario, figure, name, unit, atMost), compared: "ratio" };
}

function worst(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  return { ...alone(scenario, figure, name, unit, atMost), counts: "worst" };
}

function alone(scenario: string, figure: string, name: string, unit: string, atMost?: number): Row {
  const bar = atMost === undefined ? {} : { atMost };
  return { scenario, figure, name, unit, compared: "ours", peer: "floor", counts: "median", ...bar };
}
