// Whether an agent that died is started again. Pure.

export interface Death {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It died with a prompt open. */
  readonly duringTurn: boolean;
  /** How often it was started again since its last turn that went well. */
  readonly restarts: number;
  readonly maxRestarts: number;
  /** How often in a row it did not even come up. */
  readonly failedHandshakes: number;
}

/** Twice in a row is not an accident: the configuration or the machine is wrong. */
const FATAL_HANDSHAKES = 2;
/** 128 and SIGKILL, as a shell tells it: mostly the kernel, because memory ran out. */
const KILLED = 137;

export function judgeDeath(death: Death): "recoverable" | "fatal" {
  if (death.failedHandshakes >= FATAL_HANDSHAKES) return "fatal";
  if (death.duringTurn) return death.restarts < Math.max(death.maxRestarts, 1) ? "recoverable" : "fatal";
  if (death.signal !== null || death.exitCode === KILLED) return "fatal";
  if (death.exitCode === 0) return "recoverable";
  return death.restarts < death.maxRestarts ? "recoverable" : "fatal";
}
