// What a client hears of its sessions: live events, replays, and what it should know when one opens.

import type { SessionConfigOption, SessionUpdate } from "@agentao/acp";
import type { LastingEvent, OnEvent, SessionEvent } from "../event/event.ts";
import type { SessionId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { Door } from "../session/door.ts";
import type { Opened, Runtime } from "../session/runtime.ts";
import type { Session } from "../session/session.ts";
import { askPermission } from "./ask-permission.ts";
import { askPerson } from "./ask-person.ts";
import type { Client } from "./client.ts";
import { clientMachine } from "./client-machine.ts";
import { toConfigOptions, toModeState } from "./config-option.ts";
import { elicitFor } from "./elicit-for.ts";
import { fitUpdate } from "./frame-budget.ts";
import { toUpdates } from "./to-update.ts";

/** Notices that wait for a turn; of more, the last. */
const MAX_HELD = 20;

export class Teller {
  readonly #runtime: Runtime;
  readonly #agent: Client;
  /** Notices that wait for a turn, by session. */
  readonly #held = new Map<string, readonly SessionEvent[]>();

  constructor(runtime: Runtime, agent: Client) {
    this.#runtime = runtime;
    this.#agent = agent;
  }

  /** What a session knows of its client. */
  door(sessionId: SessionId): Door {
    const agent = this.#agent;
    return {
      onEvent: this.#listener(sessionId),
      askPermission: (request, choices, signal) => askPermission(agent, sessionId, request, choices, signal),
      askPerson: (question, signal) => askPerson(agent, sessionId, question, signal),
      onCommands: () => {
        const session = this.#runtime.live(sessionId);
        if (session !== undefined) this.#sendCommands(session);
      },
      elicit: (request, signal) => elicitFor(agent, sessionId, request, signal),
      machine: (local) => clientMachine(agent, sessionId, local),
    };
  }

  /** Live events. The prompt itself is the client's own, and is not told back. */
  #listener(sessionId: SessionId): OnEvent {
    return (event) => {
      if (event.type === "prompt") this.#tellHeld(sessionId);
      if (event.type === "notice") return this.#tellNotice(sessionId, event);
      if (event.type === "prompt" || event.type === "text" || event.type === "reasoning") return undefined;
      const sent = this.#send(sessionId, event);
      if (event.type === "mode" || event.type === "model" || event.type === "thought-level") {
        const session = this.#runtime.live(sessionId);
        if (session !== undefined) void this.#sendOptions(session);
      }
      return sent;
    };
  }

  #tellNotice(sessionId: string, notice: SessionEvent): Promise<void> | undefined {
    if (!this.#mustWait(sessionId)) return this.#send(sessionId, notice);
    for (const id of this.#held.keys()) if (this.#runtime.live(id) === undefined) this.#held.delete(id);
    this.#held.set(sessionId, [...(this.#held.get(sessionId) ?? []), notice].slice(-MAX_HELD));
    return undefined;
  }

  #tellHeld(sessionId: string): void {
    for (const notice of this.#held.get(sessionId) ?? []) void this.#send(sessionId, notice);
    this.#held.delete(sessionId);
  }

  /** As a thought it belongs to a turn (ACP v1, prompt turn): between turns it waits for the next. */
  #mustWait(sessionId: string): boolean {
    return !this.#agent.clientSupports("session.notices") && this.#runtime.live(sessionId)?.isBusy !== true;
  }

  #send(sessionId: string, event: SessionEvent): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    for (const update of toUpdates(event)) room = this.#update(sessionId, this.#inKnownWords(update)) ?? room;
    return room;
  }

  #update(sessionId: string, update: SessionUpdate): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    try {
      for (const piece of fitted(update)) room = this.#agent.update(sessionId, piece) ?? room;
    } catch {
      // The client is gone, or does not read: the turn goes on for the journal, and ends with the connection.
    }
    return room;
  }

  /** What a client does not know is told in words that it knows. */
  #inKnownWords(update: SessionUpdate): SessionUpdate {
    if (update.sessionUpdate === "compaction_update" && !this.#agent.clientSupports("session.compaction")) {
      return this.#inKnownWords(toNotice(update));
    }
    // Clients without notices see them as thoughts: they are no words of the model.
    if (update.sessionUpdate !== "notice" || this.#agent.clientSupports("session.notices")) return update;
    return { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: `${update.title}\n` } };
  }

  /** Tells a stored session as its turns told it. */
  async replay({ session, replay }: Extract<Opened, { type: "opened" }>): Promise<void> {
    for await (const entries of replay()) {
      for (const entry of entries) {
        if (isTold(entry) && this.#isReplayed(entry)) await this.#send(session.id, withoutTerminals(entry));
      }
    }
  }

  /** Notices are never told again, and a summary may be told as one. */
  #isReplayed({ type }: LastingEvent): boolean {
    return type !== "summary" || this.#agent.clientSupports("session.compaction");
  }

  /** What a client needs to know beyond the answer; sent once the answer has left. */
  announce(session: Session): void {
    this.#sendCommands(session);
    for (const message of session.news) this.notice(session, message, "info");
    for (const message of session.notices) this.notice(session, message);
    const { title } = session.history;
    if (title !== undefined) void this.#send(session.id, { type: "title", title });
    void this.#send(session.id, { type: "usage", usage: session.usage });
  }

  #sendCommands({ id, commands }: Session): void {
    const availableCommands = commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    }));
    void this.#update(id, { sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Held for a client that would take it for a thought outside of any turn. */
  notice(session: Session, message: string, severity: "info" | "warning" = "warning"): void {
    void this.#tellNotice(session.id, { type: "notice", severity, message });
  }

  #sendOptions(session: Session): Promise<void> | undefined {
    return this.#update(session.id, { sessionUpdate: "config_option_update", configOptions: this.options(session) });
  }

  stateOf(session: Session) {
    return { modes: toModeState(session), configOptions: this.options(session) };
  }

  options(session: Session): SessionConfigOption[] {
    const booleans = this.#agent.clientSupports("session.configOptions.boolean");
    return toConfigOptions(session, { booleans });
  }
}

/** Of an update that cannot be made to fit, at least what it is about. */
function fitted(update: SessionUpdate): SessionUpdate[] {
  try {
    return fitUpdate(update);
  } catch {
    const { rawInput, rawOutput, content, ...rest } = update as SessionUpdate & Record<string, unknown>;
    return [rest as SessionUpdate];
  }
}

function toNotice({ status, error }: Extract<SessionUpdate, { sessionUpdate: "compaction_update" }>): SessionUpdate {
  const [severity, title] =
    status === "in_progress"
      ? (["info", "Summing up the conversation so far, to make room for what follows…"] as const)
      : status === "completed"
        ? (["info", "The conversation so far was summed up; the model goes on from the summary."] as const)
        : (["warning", `The conversation could not be summed up: ${error ?? status}`] as const);
  return { sessionUpdate: "notice", severity, title };
}

/** The terminals of a stored session are gone: what they showed is told as text. */
function withoutTerminals(entry: LastingEvent): LastingEvent {
  if (entry.type !== "call-ended" || !entry.content?.some(({ type }) => type === "terminal")) return entry;
  const { content, ...rest } = entry;
  const shown = content.filter(({ type }) => type !== "terminal");
  return shown.length === 0 ? rest : { ...rest, content: [...shown, ...entry.told] };
}

function isTold(entry: EntryBody): entry is LastingEvent {
  return entry.type !== "decision" && entry.type !== "interrupted" && entry.type !== "roots";
}
