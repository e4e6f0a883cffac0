// A session as an embedder drives it: turns are iterated over, and what cannot be done is thrown.

import type { LastingEvent, SessionEvent, UsageSnapshot } from "../event/event.ts";
import type { SessionId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { type PromptPart, text } from "../message/message.ts";
import type { ModeId } from "../permission/mode.ts";
import type { Door, Handlers } from "./door.ts";
import type { Opened } from "./opened.ts";
import { PromptTurn, type TurnResult } from "./prompt-turn.ts";
import type { Place } from "./runtime-options.ts";
import type { PromptOutcome, Session } from "./session.ts";
import { SessionError } from "./session-error.ts";

/** How a session begins, or goes on. */
export interface SessionOptions extends Partial<Place>, Handlers {
  /** What may be done without asking; `workspace-write` where nothing is said. */
  readonly mode?: ModeId | undefined;
  /** Hears everything that happens, also between turns. A promise slows the session down. Must not throw. */
  readonly onEvent?: ((event: SessionEvent) => void | Promise<void>) | undefined;
}

export interface PromptOptions {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined;
}

type OpenedSession = Extract<Opened, { readonly type: "opened" }>;

/** The runtime, as an embedded session sees it. */
export interface EmbeddingRoom {
  isClosed(): boolean;
  close(id: SessionId): Promise<unknown>;
}

/** Opens by `open`, through a door made of the handlers. Throws a `SessionError`. */
export async function openEmbedded(
  open: (door: Door) => Promise<Opened>,
  options: SessionOptions,
  room: EmbeddingRoom,
): Promise<EmbeddedSession> {
  if (room.isClosed()) throw new SessionError("closed", "The runtime is closed.");
  const ear: Ear = { turn: undefined };
  const opened = await open(toDoor(options, ear));
  if (opened.type !== "opened") throw toError(opened);
  if (room.isClosed()) {
    await room.close(opened.session.id);
    throw new SessionError("closed", "The runtime was closed meanwhile.");
  }
  if (options.mode !== undefined) opened.session.setMode(options.mode);
  return new EmbeddedSession(opened, ear, room);
}

export class EmbeddedSession implements AsyncDisposable {
  readonly #session: Session;
  readonly #replay: OpenedSession["replay"];
  readonly #ear: Ear;
  readonly #room: EmbeddingRoom;
  /** Of the running turn. */
  #running: AbortController | undefined;

  /** For the runtime only. */
  constructor({ session, replay }: OpenedSession, ear: Ear, room: EmbeddingRoom) {
    this.#session = session;
    this.#replay = replay;
    this.#ear = ear;
    this.#room = room;
  }

  /** To resume it by. */
  get id(): SessionId {
    return this.#session.id;
  }

  get cwd(): string {
    return this.#session.cwd;
  }

  get modeId(): string {
    return this.#session.modeId;
  }

  get modelId(): string {
    return this.#session.model.info.id;
  }

  get title(): string | undefined {
    return this.#session.history.title;
  }

  /** How full the model's window is, and what the session cost so far. */
  get usage(): UsageSnapshot {
    return this.#session.usage;
  }

  /** What the person should look into. */
  get notices(): readonly string[] {
    return this.#session.notices;
  }

  /** Begins a turn; iterate over it, or await its `result`, or both. One at a time: another is refused as `busy`. */
  prompt(prompt: string | readonly PromptPart[], { signal }: PromptOptions = {}): PromptTurn {
    const controller = new AbortController();
    return new PromptTurn((tell) => this.#run(toParts(prompt), tell, controller, signal), controller);
  }

  /** Ends the running turn. Silent when there is none. */
  cancel(): void {
    this.#running?.abort(new Error("the turn was cancelled"));
  }

  setMode(mode: ModeId): void {
    this.#session.setMode(mode);
  }

  /** By `provider/model` or a bare name; takes effect with the next step. Whether there is such a model. */
  setModel(id: string): boolean {
    return this.#session.setModel(id);
  }

  /**
   * What happened before it was resumed, as it was written down: text in whole pieces, and beside what was told then what
   * only the model was told (`aside`).
   */
  async *replay(): AsyncGenerator<LastingEvent, void, undefined> {
    for await (const entries of this.#replay()) yield* entries.filter(isLasting);
  }

  /** Cancels the turn and lets go of everything the session holds. What is stored stays. */
  async close(): Promise<void> {
    await this.#room.close(this.id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(
    parts: readonly PromptPart[],
    tell: (event: SessionEvent) => Promise<void> | undefined,
    controller: AbortController,
    signal: AbortSignal | undefined,
  ): Promise<TurnResult> {
    if (this.#running !== undefined) throw toError({ type: "busy" });
    this.#running = controller;
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const answer = new Answer();
    this.#ear.turn = (event) => {
      answer.hear(event);
      return tell(event);
    };
    const before = this.#session.spent;
    try {
      const outcome = await this.#session.prompt(parts, controller.signal);
      if (outcome.type === "busy" || outcome.type === "closed") throw toError(outcome);
      const { spent, usage } = this.#session;
      return { outcome, text: answer.text, tokens: spent === before || spent === undefined ? NONE : spent, usage };
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#ear.turn = undefined;
      this.#running = undefined;
    }
  }
}

const NONE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 } as const;

/** Who hears what happens in the running turn. */
interface Ear {
  turn: ((event: SessionEvent) => Promise<void> | undefined) | undefined;
}

function toDoor({ askPermission, askPerson, elicit, onEvent }: SessionOptions, ear: Ear): Door {
  return {
    onEvent(event) {
      const [own, turn] = [onEvent?.(event), ear.turn?.(event)];
      return own === undefined ? turn : Promise.all([own, turn]).then(() => {});
    },
    askPermission: async (request, options, signal) => askPermission?.(request, options, signal),
    askPerson: async (question, signal) => askPerson?.(question, signal) ?? { type: "unavailable" },
    ...(elicit && { elicit }),
  };
}

/** The text of the last message; what was said before a call is not the answer. */
class Answer {
  text = "";
  #messageId: string | undefined;

  hear(event: SessionEvent): void {
    if (event.type !== "text-delta") return;
    this.text = event.messageId === this.#messageId ? this.text + event.text : event.text;
    this.#messageId = event.messageId;
  }
}

function toParts(prompt: string | readonly PromptPart[]): readonly PromptPart[] {
  return typeof prompt === "string" ? [text(prompt)] : prompt;
}

function toError(refused: Exclude<Opened, OpenedSession> | Extract<PromptOutcome, { type: "busy" | "closed" }>) {
  switch (refused.type) {
    case "missing":
      return new SessionError("missing", "There is no such session.");
    case "active":
      return new SessionError("active", "The session is open already. Close it before it is resumed.");
    case "bad-place":
      return new SessionError("bad-place", `The session cannot work there: ${refused.problem}.`);
    case "failed":
      return new SessionError("failed", refused.fault.message, refused.fault);
    case "busy":
      return new SessionError("busy", "A turn is running. Wait for its result, or cancel it.");
    case "closed":
      return new SessionError("closed", "The session is closed.");
  }
}

/** What else is written is for the record. */
const FOR_THE_RECORD: Readonly<Record<Exclude<EntryBody["type"], LastingEvent["type"]>, true>> = {
  decision: true,
  interrupted: true,
  roots: true,
};

function isLasting(entry: EntryBody): entry is LastingEvent {
  return !Object.hasOwn(FOR_THE_RECORD, entry.type);
}
