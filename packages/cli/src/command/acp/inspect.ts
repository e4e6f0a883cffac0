// `agentao acp inspect`: a recording, for a person.

import type { Writable } from "node:stream";
import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { Inspection } from "../../trace/inspect.ts";
import { RecordingError, readRecording } from "../../trace/recording.ts";
import { parseArguments } from "./arguments.ts";

const help = `agentao acp inspect: print what agentao acp proxy recorded

Usage
  agentao acp inspect FILE [--breaches] [--full]

A line per frame: seconds since the start, → from the client or ← from the agent, method and id,
latency of a response. Below it, what breaks the protocol. At the end, totals by method.

Options
  --breaches  Only frames with which something is wrong.
  --full      Whole frames, not only their beginning.
  -h, --help  Show this.

Examples
  agentao acp inspect session.jsonl
  agentao acp inspect session.jsonl --breaches --full

Exit codes
  0  printed    1  FILE is no recording
`;

export const acpInspect: Command = {
  help,
  async run(args, { stdout, stderr, signal }) {
    const given = parseArguments("inspect", args);
    const [file, strange] = [...given.words, ...given.command];
    if (file === undefined) throw new UsageError("acp inspect: which recording?");
    if (strange !== undefined) throw new UsageError(`acp inspect: one recording at a time, not also "${strange}"`);
    const inspection = new Inspection({ full: given.has("--full"), onlyBreaches: given.has("--breaches") });
    stdout.on("error", () => {});
    try {
      for await (const line of readRecording(file)) {
        // Whoever reads only the beginning has read enough.
        if (signal.aborted || !(await print(stdout, inspection.see(line)))) return 0;
      }
      await print(stdout, inspection.totals());
      return 0;
    } catch (cause) {
      if (!(cause instanceof RecordingError)) throw cause;
      stderr.write(`agentao acp inspect: ${cause.message}\n`);
      return 1;
    }
  },
};

/** False when nobody reads any more. */
function print(output: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (cause) => resolve(!cause));
  });
}
