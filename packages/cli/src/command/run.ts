// `agentao run`: one job without a person, from a prompt to an answer and an exit code.

import { createProgressLine, isWatched, noProgress } from "../front/progress-line.ts";
import type { Io } from "../io/io.ts";
import type { Command } from "../manual/command.ts";
import { UsageError } from "../manual/usage-error.ts";
import { createStop, type Stop } from "../run/ending.ts";
import { type Format, formatIn } from "../run/format.ts";
import { type Job, readSource, toJob } from "../run/job.ts";
import { createOutput, type Output } from "../run/output.ts";
import { exitCodeOf, type RunResult, refusedResult } from "../run/result.ts";
import { errorOfEnding, type RunError } from "../run/run-error.ts";
import { parseRunFlags } from "../run/run-flags.ts";
import { help } from "../run/run-help.ts";
import { runJob } from "../run/run-job.ts";
import { type Watch, watchOutside } from "../run/watch.ts";
import { messageOf } from "../text/message-of.ts";
import { toPlain } from "../text/plain.ts";

export const run: Command = {
  help,
  async run(args, io) {
    // Whoever reads may go at any time; what that means is decided where it is written.
    for (const stream of [io.stdout, io.stderr]) stream.on("error", () => {});
    const stop = createStop();
    const watch = watchOutside(io, stop);
    try {
      return await runArgs(args, { io, stop, watch });
    } finally {
      watch.release();
    }
  },
};

interface Room {
  readonly io: Io;
  readonly stop: Stop;
  readonly watch: Watch;
}

async function runArgs(args: readonly string[], { io, stop, watch }: Room): Promise<number> {
  let format = formatIn(args);
  try {
    const flags = parseRunFlags(args);
    if (flags.isHelp) {
      io.stdout.write(help);
      return 0;
    }
    watch.limit(flags.timeoutMs);
    const source = await readSource(flags, { ...io, signal: stop.signal });
    format = flags.format ?? source.spec?.wishes.format ?? "text";
    const job = await toJob(flags, source, io.cwd);
    stop.signal.throwIfAborted();
    watch.limit(job.timeoutMs);
    return await perform(job, { io, stop, format, isVerbose: flags.isVerbose });
  } catch (cause) {
    if (!(cause instanceof UsageError) && cause !== stop.signal.reason) throw cause;
    const { ending } = stop;
    // A program that reads JSON gets JSON, whatever is wrong.
    if (ending === undefined && format === "text") throw cause;
    const error: RunError =
      ending === undefined ? { type: "invalid_spec", message: messageOf(cause) } : errorOfEnding(ending);
    const output = createOutput(format, { stdout: io.stdout, progress: noProgress, stop });
    return finish(refusedResult(error, io.cwd), output, { io, stop, format });
  }
}

interface Telling extends Omit<Room, "watch"> {
  readonly format: Format;
}

async function perform(job: Job, { io, stop, format, isVerbose }: Telling & { isVerbose: boolean }): Promise<number> {
  const isTold = io.stderr.isTTY === true || isVerbose;
  const progress = createProgressLine(io);
  const output = createOutput(format, { stdout: io.stdout, progress, stop });
  const notice = (text: string, severity: string): void => {
    if (isTold || severity !== "info") io.stderr.write(`agentao: ${toPlain(text)}\n`);
  };
  const result = await runJob(job, { io, output, progress, stop, notice });
  const code = await finish(result, output, { io, stop, format });
  if (isWatched(io) || isVerbose) tellSession(result, job, io);
  return code;
}

/** Answers the exit code. An answer that could not be written is none. */
async function finish(result: RunResult, output: Output, { io, stop, format }: Telling): Promise<number> {
  await output.finish(result);
  const unwritable = stop.ending?.type === "unwritable" ? errorOfEnding(stop.ending) : undefined;
  const error = result.error ?? unwritable;
  const isTold = format === "text" || unwritable !== undefined;
  if (error !== undefined && isTold) io.stderr.write(`agentao run: ${toPlain(error.message)}\n`);
  return exitCodeOf({ error });
}

function tellSession({ session_id }: RunResult, { agent }: Job, { stderr }: Io): void {
  if (session_id === undefined) return;
  const goOn = agent === undefined ? `; go on with agentao run --resume ${session_id}` : "";
  stderr.write(`session ${toPlain(session_id)}${goOn}\n`);
}
