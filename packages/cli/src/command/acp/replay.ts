// `agentao acp replay`: plays one side of a recording against the other.

import type { Io } from "../../io/io.ts";
import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { messageOf } from "../../text/message-of.ts";
import { cleanLine } from "../../text/plain.ts";
import { startChild, toExitCode } from "../../trace/child.ts";
import { RecordingError } from "../../trace/recording.ts";
import type { ReplayOptions, ReplayReport } from "../../trace/replay.ts";
import { replayAgent } from "../../trace/replay-agent.ts";
import { replayClient } from "../../trace/replay-client.ts";
import { type Play, readPlay } from "../../trace/steps.ts";
import { parseArguments } from "./arguments.ts";

const TIMEOUT_MS = 30_000;

const help = `agentao acp replay: play a recording of agentao acp proxy again

Usage
  agentao acp replay FILE [--speed real|instant] [--timeout SECONDS] [--text] -- COMMAND ARGS…
  agentao acp replay FILE --as agent [--speed real|instant]

As the client (the default): starts COMMAND, sends it what the recorded client sent, waits where
it waited, answers what it answered, and says what the agent does differently: another stop
reason, another error, other capabilities, other fields, a question that is no longer asked, a
kind of update that is new or gone. What models say is not compared, unless --text is given. Names
of sessions and options are translated.

As the agent: stdin and stdout are the agent of the recording, for a client under test. No model
and no key are needed. Differences are told on stderr. A request the recording does not have is
answered with an error.

Options
  --as SIDE           Which side of the recording to play: client (the default) or agent.
  --speed SPEED       real takes the time that was taken; instant is the default.
  --timeout SECONDS   How long to wait for each answer. Default: ${TIMEOUT_MS / 1000}.
  --text              Also compare what the agent says, word for word.
  -h, --help          Show this.

Secrets are not in recordings: values of env and headers are sent as "[redacted]".

Examples
  agentao acp replay session.jsonl -- my-agent --acp
  my-client agentao acp replay session.jsonl --as agent --speed real

Exit codes
  0  no difference    1  differences, or FILE is no recording    127  COMMAND cannot be started
  As the agent of a recording in which the agent ended by itself: its exit code.
`;

export const acpReplay: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("replay", args);
    const [file, strange] = given.words;
    const side = given.text("--as") === "agent" ? "agent" : "client";
    const speed = given.text("--speed") === "real" ? "real" : "instant";
    const timeoutMs = Number(given.text("--timeout") ?? TIMEOUT_MS / 1000) * 1000;
    if (file === undefined) throw new UsageError("acp replay: which recording?");
    if (strange !== undefined) throw new UsageError(`acp replay: put -- before the command: -- ${strange} …`);
    if (!(timeoutMs > 0)) throw new UsageError("acp replay: --timeout is a number of seconds");
    if (side === "client" && given.command.length === 0) {
      throw new UsageError("acp replay: against which agent? Put its command after --, or play --as agent");
    }
    if (side === "agent" && given.command.length > 0) {
      throw new UsageError("acp replay: --as agent starts nothing: the client starts it");
    }
    let play: Play;
    try {
      play = await readPlay(file);
    } catch (cause) {
      if (!(cause instanceof RecordingError)) throw cause;
      io.stderr.write(`agentao acp replay: ${cause.message}\n`);
      return 1;
    }
    const options = { play, speed, timeoutMs, signal: io.signal, compareText: given.has("--text") } as const;
    return side === "client" ? asClient(given.command, options, io) : asAgent(options, io);
  },
};

type Options = Omit<ReplayOptions, "input" | "output">;

async function asClient(command: readonly string[], options: Options, io: Io): Promise<number> {
  let child: Awaited<ReturnType<typeof startChild>>;
  try {
    child = await startChild(command, { cwd: io.cwd, env: io.env });
  } catch (cause) {
    io.stderr.write(`agentao acp replay: ${messageOf(cause)}\n`);
    return 127;
  }
  child.stderr.pipe(io.stderr, { end: false });
  const report = await replayClient({ ...options, input: child.stdout, output: child.stdin });
  child.stdin.end();
  const timer = setTimeout(() => void child.end("SIGTERM"), 2_000);
  const exit = await child.exited;
  clearTimeout(timer);
  // What it left behind goes with it.
  await child.end("SIGKILL");
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  const isCut = report.played < options.play.steps.length;
  const how = isCut ? `The agent ended: ${exit.signal ?? `exit code ${exit.exitCode}`}.\n` : "";
  io.stdout.write(tellReport(report, options.play) + how);
  return report.differences.length === 0 ? 0 : 1;
}

async function asAgent(options: Options, io: Io): Promise<number> {
  const report = await replayAgent({ ...options, input: io.stdin, output: io.stdout });
  io.stdin.destroy();
  if (report.differences.length > 0) io.stderr.write(tellReport(report, options.play));
  const { end } = options.play;
  if (end?.by === "agent") return toExitCode(end as Parameters<typeof toExitCode>[0]);
  return report.differences.length === 0 ? 0 : 1;
}

function tellReport({ differences, played }: ReplayReport, { steps, left, end }: Play): string {
  const lines = [
    differences.length === 0
      ? `No difference in ${played} frames.`
      : `${differences.length} ${differences.length === 1 ? "difference" : "differences"} in ${played} of ${steps.length} frames:`,
    ...differences.map((sentence) => `  ${cleanLine(sentence)}`),
    ...(end === undefined ? ["The recording has no end: what recorded it was killed, or is still running."] : []),
    ...(left === 0 ? [] : [`${left} lines of the recording are no frames or answer nothing, and were not played.`]),
  ];
  return `${lines.join("\n")}\n`;
}
