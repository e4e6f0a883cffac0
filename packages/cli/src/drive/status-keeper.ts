// What a supervisor tells of itself: the status file of its agent, written anew with each change.

import { redact } from "@agentao/agent/program";
import { messageOf } from "../text/message-of.ts";
import type { DriveFault } from "./drive-fault.ts";
import { type ServerState, type ServerStatus, startTimeOf, writeStatus } from "./server-state.ts";

export interface StatusKeeper {
  readonly state: ServerState;
  set(state: ServerState, more?: Partial<ServerStatus>): void;
  /** Is told with the next change of state. */
  remember(fault: Pick<DriveFault, "code" | "message">): void;
}

/** `onProblem` hears why a status could not be written: that is no reason to stop working. */
export function keepStatus(cwd: string, name: string, onProblem: (problem: string) => void): StatusKeeper {
  const { pid } = process;
  const since = new Date().toISOString();
  let status: ServerStatus = { name, state: "starting", pid, startedAt: startTimeOf(pid), since, restarts: 0 };
  return {
    get state() {
      return status.state;
    },
    set(state, more = {}) {
      status = { ...status, ...more, state, since: new Date().toISOString() };
      try {
        writeStatus(cwd, status);
      } catch (cause) {
        onProblem(`Cannot write down the state: ${messageOf(cause)}`);
      }
    },
    remember({ code, message }) {
      // Being busy is no state of the agent that anybody would look for afterwards.
      if (code === "server_busy" || code === "server_not_found") return;
      status = { ...status, lastError: { code, message: redact(message), at: new Date().toISOString() } };
    },
  };
}
