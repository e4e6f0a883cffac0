// Whoever drives or shows a session, as the session sees it.

import type { OnEvent } from "../event/event.ts";
import type { Machine } from "../machine/machine.ts";
import type { ElicitAnswer, ElicitRequest } from "../mcp/ask.ts";
import type { Asker } from "../permission/gate.ts";
import type { PersonAnswer, Question } from "../tool/tool.ts";

export interface Door {
  /** Hears everything that happens. Must not throw. */
  readonly onEvent: OnEvent;
  /** Asks the person about a call. Nothing, a throw or an abort means no. */
  readonly askPermission: Asker;
  askPerson(question: Question, signal: AbortSignal): Promise<PersonAnswer>;
  /** Asks the person for an MCP server; where it is not there, nobody can be asked. */
  elicit?(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  /** What can be called by a slash has changed. */
  onCommands?(): void;
  /** Lends the session what the host has: unsaved buffers, terminals. */
  machine?(local: Machine): Machine;
}
