// Whoever drives or shows a session, as the session sees it; and what an embedder answers with, of which a door is made.

import type { OnEvent } from "../event/event.ts";
import type { Machine } from "../machine/machine.ts";
import type { ElicitAnswer, ElicitRequest } from "../mcp/ask.ts";
import type { AnswerOption, Asker } from "../permission/gate.ts";
import type { PermissionRequest } from "../permission/request.ts";
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

/** The id of an option that was offered: these, or a further width of "always". */
export type PermissionAnswer = "allow_once" | "allow_always" | "reject_once" | "reject_always" | (string & {});

/** Who is asked, in an embedder's program. Where a handler is missing, there is nobody to ask. */
export interface Handlers {
  /** Asked about a call that neither rules nor the mode decide. Nothing, a throw or an abort means no. */
  readonly askPermission?:
    | ((
        request: PermissionRequest,
        options: readonly AnswerOption[],
        signal: AbortSignal,
      ) => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>)
    | undefined;
  /** Asked what the model wants to know. */
  readonly askPerson?: ((question: Question, signal: AbortSignal) => Promise<PersonAnswer>) | undefined;
  /** Asked what an MCP server wants to know. */
  readonly elicit?: ((request: ElicitRequest, signal: AbortSignal) => Promise<ElicitAnswer>) | undefined;
}
