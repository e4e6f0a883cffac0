import { expect, test } from "vitest";
import { type Death, judgeDeath } from "./death.ts";

const death: Death = { exitCode: 1, signal: null, duringTurn: false, restarts: 0, maxRestarts: 3, failedHandshakes: 0 };

test.each<[string, Partial<Death>, "recoverable" | "fatal"]>([
  ["an exit without a fault", { exitCode: 0 }, "recoverable"],
  ["an exit without a fault, often", { exitCode: 0, restarts: 50 }, "recoverable"],
  ["a crash", {}, "recoverable"],
  ["the last crash that is forgiven", { restarts: 2 }, "recoverable"],
  ["one crash too many", { restarts: 3 }, "fatal"],
  ["a crash where none is forgiven", { maxRestarts: 0 }, "fatal"],
  ["a kill", { exitCode: null, signal: "SIGKILL" }, "fatal"],
  ["any other signal", { exitCode: null, signal: "SIGSEGV" }, "fatal"],
  ["a kill as a shell tells it", { exitCode: 137 }, "fatal"],
  ["a kill in a turn", { exitCode: null, signal: "SIGKILL", duringTurn: true }, "recoverable"],
  ["a crash in a turn where none is forgiven", { duringTurn: true, maxRestarts: 0 }, "recoverable"],
  ["one crash in a turn too many", { duringTurn: true, restarts: 3 }, "fatal"],
  ["one failed handshake", { failedHandshakes: 1 }, "recoverable"],
  ["two failed handshakes in a row", { failedHandshakes: 2, exitCode: 0 }, "fatal"],
])("%s", (_, part, verdict) => {
  expect(judgeDeath({ ...death, ...part })).toBe(verdict);
});
