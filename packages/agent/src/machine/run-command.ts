// Runs one command to its end: by itself, by a timeout or because nobody wants it any more. When it settles, its group is
// gone. It never waits for a process that left the group, even if that one still holds the output.

import { constants } from "node:os";
import type { Readable } from "node:stream";
import { errorCode } from "../fault/error-code.ts";
import { createKeptOutput } from "./kept-output.ts";
import { createLiveOutput } from "./live-output.ts";
import { type CommandOptions, type CommandResult, MachineError } from "./machine.ts";
import { askToEnd, groupGone, killGroup, type ProcessGroup } from "./process-group.ts";
import type { Sandbox } from "./sandbox.ts";
import { type StartOptions, startCommand } from "./start-command.ts";
import type { Marks } from "./stray.ts";
import { createTerminalText } from "./terminal-text.ts";

type Ended = CommandResult["ended"];

/** From SIGTERM to SIGKILL. Who cancels waits for it; a command that took too long may clean up. */
const GRACE_MS: Record<Ended, number> = { aborted: 40, "by-itself": 40, inactive: 500, "too-long": 500 };
/** SIGKILL takes effect at once, except on a process stuck in the kernel: nobody waits for that one. */
const KILLED_WITHIN_MS = 25;
/** Output that was written is read; what a process outside of the group may still write is not waited for. */
const QUIET_MS = 15;
const DRAIN_MS: Record<Ended, number> = { aborted: 25, "by-itself": 2_000, inactive: 2_000, "too-long": 2_000 };

const NEVER_STARTED: CommandResult = { output: "", exitCode: null, signal: null, ended: "aborted" };

export async function runCommand(
  command: string,
  options: CommandOptions,
  local: Pick<StartOptions, "shell" | "watchdog" | "pipes"> & {
    readonly folder: string;
    readonly sandbox: Sandbox;
    readonly marks: Marks;
  },
): Promise<CommandResult> {
  if (options.signal.aborted) return NEVER_STARTED;
  const { folder, watchdog, sandbox } = local;
  const policy = options.sandbox;
  const confined = policy === undefined ? undefined : await sandbox.confine(policy, options);
  // What is inside of a sandbox cannot leave it, and is gone with it.
  const mark = confined === undefined ? local.marks.next() : undefined;
  const start = { ...options, ...local, env: { ...options.env, ...mark?.env }, confined };
  const { child, group, output } = await startCommand(command, start).catch((error: unknown) => {
    throw cannotStart(error, options.cwd);
  });
  const groupId = child.pid as number;
  const end = createEnd(group, { graceMs: options.graceMs, isNested: confined?.isNested ?? false });
  const gathered = gather(output, { ...options, folder, onActivity: () => inactivity?.refresh() });
  options.onStart?.(groupId);
  const inactivity = after(options.inactivityMs, () => end.begin("inactive"));
  const total = after(options.totalMs, () => end.begin("too-long"));
  const abort = (): void => end.begin("aborted");
  options.signal.addEventListener("abort", abort);
  // It may have fired while the command was being started.
  if (options.signal.aborted) abort();
  try {
    const how = await end.reached;
    // One that ended well may have left a service behind for the next command; it ends with the machine.
    if (how.ended !== "by-itself") mark?.end();
    await gathered.drained(DRAIN_MS[how.ended]);
    return withPlanted({ ...(await gathered.end()), ...how }, (await confined?.planted?.()) ?? []);
  } finally {
    options.signal.removeEventListener("abort", abort);
    clearTimeout(inactivity);
    clearTimeout(total);
    watchdog.free(groupId);
  }
}

/** Who reads the result learns what must not be overlooked. */
function withPlanted(result: CommandResult, planted: readonly string[]): CommandResult {
  if (planted.length === 0) return result;
  const before = result.output === "" || result.output.endsWith("\n") ? result.output : `${result.output}\n`;
  return { ...result, output: `${before}${planted.map((line) => `[sandbox: ${line}]\n`).join("")}` };
}

interface End {
  /** Asks the group to end, and then makes it. The first reason counts; a later one may only shorten the grace. */
  begin(ended: Ended): void;
  /** Never rejects; by then the group is gone. */
  readonly reached: Promise<Pick<CommandResult, "exitCode" | "signal" | "ended">>;
}

interface EndOptions extends Pick<CommandOptions, "graceMs"> {
  readonly isNested: boolean;
}

function createEnd(group: ProcessGroup, { graceMs, isNested }: EndOptions): End {
  const child = group.leader;
  let ended: Ended | undefined;
  let killAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let giveUp = (): void => {};

  const kill = (): void => {
    killGroup(group);
    timer = setTimeout(() => giveUp(), KILLED_WITHIN_MS);
  };
  const begin = (why: Ended): void => {
    if (ended === undefined) askToEnd(group);
    ended ??= why;
    const waitMs = why === "aborted" ? (graceMs ?? GRACE_MS.aborted) : GRACE_MS[why];
    if (performance.now() + waitMs >= killAt) return;
    killAt = performance.now() + waitMs;
    clearTimeout(timer);
    timer = setTimeout(kill, waitMs);
  };
  const exited = new Promise<void>((resolve) => {
    giveUp = resolve;
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once("exit", () => resolve());
  });
  const finish = async () => {
    await exited;
    begin("by-itself");
    clearTimeout(timer);
    if (!(await groupGone(group, killAt))) {
      killGroup(group);
      await groupGone(group, performance.now() + KILLED_WITHIN_MS);
    }
    const isStuck = child.exitCode === null && child.signalCode === null;
    const status = { exitCode: child.exitCode, signal: isStuck ? "SIGKILL" : child.signalCode };
    return { ...(isNested ? unnested(status) : status), ended: ended ?? "by-itself" };
  };
  return { begin, reached: finish() };
}

type Status = Pick<CommandResult, "exitCode" | "signal">;

/** A sandbox tells a signal in the way shells do: as an exit code of 128 and its number. */
function unnested(status: Status): Status {
  const number = (status.exitCode ?? 0) - 128;
  const signal = FATAL.find((name) => constants.signals[name] === number);
  return signal === undefined ? status : { exitCode: null, signal };
}

const FATAL = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGABRT",
  "SIGKILL",
  "SIGSEGV",
  "SIGPIPE",
  "SIGTERM",
  "SIGXCPU",
] as const;

interface GatherOptions extends Pick<CommandOptions, "onOutput" | "onOutputFile"> {
  readonly folder: string;
  readonly onActivity: () => void;
}

function gather(sources: readonly Readable[], options: GatherOptions) {
  const kept = createKeptOutput(options.folder, options.onOutputFile);
  const live = createLiveOutput(options.onOutput);
  let lastAt = performance.now();
  const streams = sources.map((source) => {
    const text = createTerminalText();
    source.setEncoding("utf8").on("data", (chunk: string) => {
      lastAt = performance.now();
      options.onActivity();
      live.write(chunk);
      const behind = kept.write(text.write(chunk));
      if (behind === undefined) return;
      source.pause();
      void behind.then(() => source.resume());
    });
    const ended = new Promise<void>((resolve) => {
      source.once("close", resolve);
      // A broken pipe says no more than its end, which follows.
      source.on("error", () => {});
    });
    return { source, text, ended };
  });
  const allEnded = Promise.all(streams.map(({ ended }) => ended));

  return {
    /** Resolves when everything was read, or nothing has come for a while. */
    async drained(withinMs: number): Promise<void> {
      let isOver = false;
      void allEnded.then(() => {
        isOver = true;
      });
      const deadline = performance.now() + withinMs;
      for (let now = performance.now(); !isOver && now < deadline; now = performance.now()) {
        await Promise.race([allEnded, pause(QUIET_MS)]);
        if (performance.now() - lastAt >= QUIET_MS && !streams.some(({ source }) => source.isPaused())) break;
      }
      for (const { source } of streams) source.destroy();
    },
    async end() {
      for (const { text } of streams) kept.write(text.end());
      live.end();
      return kept.end();
    },
  };
}

/** A timer may be due before what was written in time has been read: one more turn of the loop, then. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), ms));
}

/** Longer than timers can be is never. */
function after(ms: number, act: () => void): NodeJS.Timeout | undefined {
  return ms < 2 ** 31 ? setTimeout(act, ms) : undefined;
}

function cannotStart(cause: unknown, cwd: string): MachineError {
  switch (errorCode(cause)) {
    case "ENOENT":
    case "ENOTDIR":
      return new MachineError("not-found", `The working directory ${cwd} does not exist`, { cause });
    case "EACCES":
      return new MachineError("denied", `No permission to run commands in ${cwd}`, { cause });
    case "E2BIG":
      return new MachineError("too-large", "The command is too long. Write it to a file and run that", { cause });
    default:
      return new MachineError("failed", `Could not start the command: ${(cause as Error).message}`, { cause });
  }
}
