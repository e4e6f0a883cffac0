// How a command ended, in words: what the model is told of it, and why the person sees no more.

import type { CommandResult } from "../../machine/machine.ts";

export interface CommandLimits {
  readonly inactivityS: number;
  readonly maxInactivityS: number;
  readonly totalS: number;
}

/** Its output, and how it ended. The headings are the reference's; stdout and stderr are one stream here. */
export function tellEnd(result: CommandResult, limits: CommandLimits): string {
  const { reason, advice } = interruptionOf(result, limits);
  const output = result.output === "" ? undefined : `STDOUT:\n${result.output.trimEnd()}`;
  if (reason !== undefined) return paragraphs(reason, output ?? "There was no output.", advice);
  if (output === undefined && result.exitCode === 0) return "Command completed with no output.";
  return paragraphs(output ?? "Command ended with no output.", statusOf(result));
}

/** One sentence for a screen that shows the output already; nothing when all went well. */
export function showEnd(result: CommandResult, limits: CommandLimits): string | undefined {
  const { reason } = interruptionOf(result, limits);
  return reason ?? (result.exitCode === 0 ? undefined : statusOf(result));
}

function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n\n");
}

interface Interruption {
  /** Nothing when the command ended by itself. The signal that was sent then is ours, and says nothing. */
  readonly reason?: string;
  /** What the model can do about it. */
  readonly advice?: string;
}

function interruptionOf({ ended }: CommandResult, limits: CommandLimits): Interruption {
  switch (ended) {
    case "by-itself":
      return {};
    case "aborted":
      return { reason: "Command was cancelled." };
    case "too-long":
      return {
        reason: `Command was ended after ${limits.totalS}s, the longest a command may take.`,
        advice: "It was ended with everything it started. What has to go on for longer runs with is_background.",
      };
    case "inactive":
      return {
        reason: `Command timed out after ${limits.inactivityS}s of inactivity.`,
        advice:
          "It was ended with everything it started. If it is only slow, run it again with a longer timeout (at most " +
          `${limits.maxInactivityS}); a server or watcher runs with is_background.`,
      };
  }
}

function statusOf(exit: Exit): string | undefined {
  if (exit.signal !== null) return `Signal: ${exit.signal}${explainExit(exit)}`;
  return exit.exitCode === null ? undefined : `Exit code: ${exit.exitCode}${explainExit(exit)}`;
}

type Exit = Pick<CommandResult, "exitCode" | "signal">;

/** What the number or the name stands for, in brackets; nothing where that is plain, or unknown. */
export function explainExit({ exitCode, signal }: Exit): string {
  if (signal !== null) return inBrackets(MEANINGS[signal]);
  // A shell reports the signal that ended its last program so (POSIX, exit status for commands).
  const inner = SIGNALS[(exitCode ?? 0) - 128];
  return inner === undefined ? "" : inBrackets([`128 + ${inner}`, MEANINGS[inner]].filter(Boolean).join(": "));
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${text})`;
}

/** Those whose numbers are the same everywhere. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

const MEANINGS: Readonly<Record<string, string>> = {
  SIGABRT: "it gave up, as after a failed assertion",
  SIGFPE: "it crashed: arithmetic error",
  SIGILL: "it crashed: illegal instruction",
  SIGKILL: "killed from outside, often because memory ran out",
  SIGPIPE: "nobody read its output any more",
  SIGSEGV: "it crashed: invalid memory access",
  SIGTERM: "something asked it to end",
};
