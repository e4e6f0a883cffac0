// The rows of the table, and the bars.

import { alone, type Row, ratio } from "../harness/row.ts";

export const rows: readonly Row[] = [
  ratio("version", "wallMs", "`agentao --version`, by bare node", "ms", 1.3),
  ratio("help", "wallMs", "`agentao --help`, by bare node", "ms", 1.3),
  ratio("run", "wallMs", "`agentao run hi` with a scripted model, by bare node", "ms", 2.5),
  alone("paint", "paintMs", "`agentao` in a terminal, first paint", "ms", 250),
  alone("deltas", "cpuMs", "2,000 deltas into a live block, CPU", "ms", 1_000),
  alone("deltas", "grownMb", "RSS above before, after them", "MB", 32),
  alone("proxy", "cpuUs", "`agentao acp proxy`, CPU per message", "µs", 20),

  byScript("version", "`agentao --version`, by an empty script"),
  byScript("help", "`agentao --help`, by an empty script"),
  byScript("run", "`agentao run hi` with a scripted model, by an empty script"),
  alone("proxy-record", "cpuUs", "`agentao acp proxy --record`, CPU per message", "µs"),
  { ...alone("proxy", "eachUs", "wall per message through the proxy, above without it", "µs"), compared: "above" },
  alone("paint", "cpuMs", "`agentao` in a terminal, CPU until first paint", "ms"),
  alone("deltas", "writtenKb", "written to the terminal for 2,000 deltas", "KB"),
];

function byScript(scenario: string, name: string): Row {
  return { ...ratio(scenario, "wallMs", name, "ms"), peer: "script" };
}
