import { expect, test } from "vitest";
import type { CommandResult } from "../../machine/machine.ts";
import { showEnd, tellEnd } from "./command-end.ts";

const LIMITS = { inactivityS: 120, maxInactivityS: 3_600, totalS: 7_200 };
const well: CommandResult = { output: "", exitCode: 0, signal: null, ended: "by-itself" };

test.each<[Partial<CommandResult>, told: string, shown: string | undefined]>([
  [{}, "Command completed with no output.", undefined],
  [{ output: "a\n" }, "STDOUT:\na\n\nExit code: 0", undefined],
  [{ exitCode: 1 }, "Command ended with no output.\n\nExit code: 1", "Exit code: 1"],
  [{ output: "a", exitCode: 128 }, "STDOUT:\na\n\nExit code: 128", "Exit code: 128"],
  [{ output: "a", exitCode: 130 }, "STDOUT:\na\n\nExit code: 130 (128 + SIGINT)", "Exit code: 130 (128 + SIGINT)"],
  [
    { output: "a", exitCode: 139 },
    "STDOUT:\na\n\nExit code: 139 (128 + SIGSEGV: it crashed: invalid memory access)",
    "Exit code: 139 (128 + SIGSEGV: it crashed: invalid memory access)",
  ],
  [{ output: "a", exitCode: null, signal: "SIGUSR1" }, "STDOUT:\na\n\nSignal: SIGUSR1", "Signal: SIGUSR1"],
  [
    { exitCode: null, signal: "SIGTERM", ended: "aborted" },
    "Command was cancelled.\n\nThere was no output.",
    "Command was cancelled.",
  ],
  [
    { output: "a", exitCode: 0, ended: "too-long" },
    "Command was ended after 7200s, the longest a command may take.\n\nSTDOUT:\na\n\n" +
      "It was ended with everything it started. What has to go on for longer runs with is_background.",
    "Command was ended after 7200s, the longest a command may take.",
  ],
])("%j is told plainly", (result, told, shown) => {
  expect(tellEnd({ ...well, ...result }, LIMITS)).toBe(told);
  expect(showEnd({ ...well, ...result }, LIMITS)).toBe(shown);
});
