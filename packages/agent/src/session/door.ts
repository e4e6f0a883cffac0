// Whoever drives or shows a session, as the session sees it.

import type { OnEvent } from "../event/event.ts";
import type { Machine } from "../machine/machine.ts";
import type { Asker } from "../permission/gate.ts";
import type { PersonAnswer, Question } from "../tool/tool.ts";

export interface Door {
  /** Hears everything that happens. Must not throw. */
  readonly onEvent: OnEvent;
  /** Asks the person about a call. Nothing, a throw or an abort means no. */
  readonly askPermission: Asker;
  askPerson(question: Question, signal: AbortSignal): Promise<PersonAnswer>;
  /** Lends the session what the host has: unsaved buffers, terminals. */
  machine?(local: Machine): Machine;
}
