// `agentao run`: one job without a person, from a prompt to an answer and an exit code.

import { createProgressLine, isWatched } from "../front/progress-line.ts";
import { formatIn } from "../run/format.ts";
import { type Job, readJob } from "../run/job.ts";
import { createOutput } from "../run/output.ts";
import { exitCodeOf, type RunResult, refusedResult } from "../run/result.ts";
import type { RunError } from "../run/run-error.ts";
import { parseRunFlags, type RunFlags } from "../run/run-flags.ts";
import { help } from "../run/run-help.ts";
import { runJob } from "../run/run-job.ts";
import { type Command, type Io, UsageError } from "./command.ts";

export const run: Command = {
  help,
  async run(args, io) {
    const format = formatIn(args);
    // Whoever reads may go at any time; what that means is decided where it matters.
    for (const stream of [io.stdout, io.stderr]) stream.on("error", () => {});
    try {
      const flags = parseRunFlags(args);
      if (flags.isHelp) {
        io.stdout.write(help);
        return 0;
      }
      return await runFlags(flags, io);
    } catch (cause) {
      if (!(cause instanceof UsageError)) throw cause;
      // Whoever leaves while we read has not made a mistake.
      const isLeft = io.signal.aborted;
      if (format === "text" && !isLeft) throw cause;
      const error: RunError = isLeft
        ? { type: "interrupted", message: "interrupted" }
        : { type: "invalid_spec", message: cause.message };
      const result = refusedResult(error, io.cwd);
      // A program that reads JSON gets JSON, whatever is wrong.
      if (format !== "text") io.stdout.write(`${JSON.stringify(result)}\n`);
      return exitCodeOf(result);
    }
  },
};

async function runFlags(flags: RunFlags, io: Io): Promise<number> {
  const { job, wishes } = await readJob(flags, io);
  const format = wishes.format ?? "text";
  const isTold = io.stderr.isTTY === true || flags.isVerbose;
  const progress = createProgressLine(io);
  const output = createOutput(format, io, progress);
  const notice = (text: string, severity: string): void => {
    if (isTold || severity !== "info") io.stderr.write(`agentao: ${text}\n`);
  };
  const result = await runJob(job, { io, output, progress, notice });
  await output.finish(result);
  if (format === "text" && result.error !== undefined) io.stderr.write(`agentao run: ${result.error.message}\n`);
  if (isWatched(io) || flags.isVerbose) tellSession(result, job, io);
  return exitCodeOf(result);
}

function tellSession({ session_id }: RunResult, { agent }: Job, { stderr }: Io): void {
  if (session_id === undefined) return;
  const goOn = agent === undefined ? `; go on with agentao run --resume ${session_id}` : "";
  stderr.write(`session ${session_id}${goOn}\n`);
}
