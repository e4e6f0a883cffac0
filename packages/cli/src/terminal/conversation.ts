// One session as a screen sees it: its transcript, what this program said in between, the turn that runs and the prompts
// that wait for it. Knows the protocol's client, and nothing of a terminal.

import {
  type AcpClient,
  type ContentBlock,
  RpcError,
  type SessionConfigOption,
  type SessionUpdate,
  type StopReason,
  type Transcript,
  type TranscriptItem,
} from "@agentao/acp";
import { type Entry, modeIn, type Note, Timeline } from "./timeline.ts";
import type { Severity } from "./view/notice.ts";
import type { Span } from "./view/room.ts";

export type { Entry, Note } from "./timeline.ts";

export interface QueuedPrompt {
  readonly text: string;
  readonly blocks: readonly ContentBlock[];
  /** Who answers it; the agent of the session where nothing is said. */
  readonly answer?: ((signal: AbortSignal) => Promise<StopReason>) | undefined;
}

export interface OpenedSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly configOptions: readonly SessionConfigOption[];
  readonly modeId: string | undefined;
  readonly modeIds: readonly string[];
}

export interface ConversationOptions {
  readonly now: () => number;
  /** Something to show has changed. Called often; must be cheap. */
  readonly onChange: () => void;
}

export class Conversation {
  readonly #client: AcpClient;
  readonly #options: ConversationOptions;
  #session: OpenedSession;
  #timeline: Timeline;
  #turn: { readonly startedAt: number; readonly abort: AbortController } | undefined;
  #typed = 0;
  readonly queue: QueuedPrompt[] = [];

  constructor(client: AcpClient, session: OpenedSession, options: ConversationOptions) {
    this.#client = client;
    this.#session = session;
    this.#options = options;
    this.#timeline = new Timeline(options.now);
    this.#timeline.seeMode(modeIn(session.configOptions) ?? session.modeId);
  }

  get sessionId(): string {
    return this.#session.sessionId;
  }

  get cwd(): string {
    return this.#session.cwd;
  }

  get configOptions(): readonly SessionConfigOption[] {
    const { configOptions } = this.transcript;
    return configOptions.length > 0 ? configOptions : this.#session.configOptions;
  }

  get modeId(): string | undefined {
    return modeIn(this.configOptions) ?? this.transcript.modeId ?? this.#session.modeId;
  }

  /** The mode that plan mode was entered from, by whatever way; nothing where that was before we looked. */
  get modeBeforePlan(): string | undefined {
    return this.#timeline.modeBeforePlan;
  }

  get modeIds(): readonly string[] {
    return this.#session.modeIds;
  }

  /** Nothing while nothing runs. */
  get runningMs(): number | undefined {
    return this.#turn === undefined ? undefined : this.#options.now() - this.#turn.startedAt;
  }

  /** Whether the turn that runs was told to end. */
  get isStopping(): boolean {
    return this.#turn?.abort.signal.aborted === true;
  }

  /** Updates are folded when somebody looks. */
  get transcript(): Transcript {
    return this.#timeline.transcript;
  }

  get entries(): readonly Entry[] {
    return this.#timeline.entries;
  }

  item(index: number): TranscriptItem | undefined {
    return this.#timeline.item(index);
  }

  /** The same value until it changes, so that lines can be kept. */
  span(index: number): Span {
    return this.#timeline.span(index);
  }

  /** For the client's handler; updates of other sessions are none of ours. */
  hear(sessionId: string, update: SessionUpdate): void {
    if (sessionId !== this.#session.sessionId) return;
    // What was typed here is shown already.
    if (update.sessionUpdate === "user_message_chunk" && this.#turn !== undefined) return;
    this.#timeline.hear(update);
    this.#options.onChange();
  }

  say(text: string, severity: Severity = "info"): void {
    this.add({ type: "note", severity, text });
  }

  add(note: Note): Extract<Entry, { type: "note" }> {
    const entry = this.#timeline.add(note);
    this.#options.onChange();
    return entry;
  }

  /** A note that can be written again, for what grows. */
  sayGrowing(text: string): (text: string) => void {
    const entry = this.add({ type: "note", severity: "info", text });
    return (next) => {
      entry.note = { type: "note", severity: "info", text: next };
      this.#options.onChange();
    };
  }

  /** Sends it, or keeps it until the turn that runs has ended. Resolves when it has been answered or kept. */
  async prompt(prompt: QueuedPrompt): Promise<void> {
    if (this.#turn !== undefined) {
      this.queue.push(prompt);
      this.#options.onChange();
      return;
    }
    await this.#run(prompt);
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) await this.#run(next);
  }

  /** Ends the turn that runs. What waits is given back, to be typed on. */
  cancel(): readonly QueuedPrompt[] {
    const waiting = this.queue.splice(0);
    this.#turn?.abort.abort();
    return waiting;
  }

  /** Another session takes the place of this one. The updates that `open` causes are its replay. */
  async replace(sessionId: string, open: () => Promise<OpenedSession>): Promise<void> {
    const [session, timeline] = [this.#session, this.#timeline];
    this.#session = { ...session, sessionId };
    this.#timeline = new Timeline(this.#options.now);
    this.queue.length = 0;
    try {
      this.#session = await open();
      this.#timeline.seeMode(this.modeId);
    } catch (cause) {
      this.#session = session;
      this.#timeline = timeline;
      throw cause;
    } finally {
      this.#options.onChange();
    }
  }

  setConfigOptions(configOptions: readonly SessionConfigOption[]): void {
    this.#timeline.hear({ sessionUpdate: "config_option_update", configOptions: [...configOptions] });
    this.#options.onChange();
  }

  async #run({ blocks, answer = (signal) => this.#ask(blocks, signal) }: QueuedPrompt): Promise<void> {
    const abort = new AbortController();
    // An id of its own, so that it does not go on a message before it.
    const messageId = `typed-${++this.#typed}`;
    for (const content of blocks) this.#timeline.hear({ sessionUpdate: "user_message_chunk", messageId, content });
    this.#timeline.begin();
    this.#turn = { startedAt: this.#options.now(), abort };
    this.#options.onChange();
    try {
      const stopReason = await answer(abort.signal);
      if (stopReason === "cancelled") this.#timeline.failOpenCalls();
      if (STOPPED[stopReason] !== undefined) this.say(STOPPED[stopReason], "warning");
    } catch (cause) {
      this.#timeline.failOpenCalls();
      this.#tellFailure(cause);
    } finally {
      this.#turn = undefined;
      this.#timeline.end();
      this.#options.onChange();
    }
  }

  async #ask(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    return (await this.#client.prompt(this.sessionId, blocks, { signal }).result).stopReason;
  }

  /** Our own agent also says in the transcript what went wrong; once is enough. */
  #tellFailure(cause: unknown): void {
    const text = toWords(cause);
    const last = this.transcript.items.at(-1);
    const said =
      last?.type === "message" ? last.content.map((one) => (one.type === "text" ? one.text : "")).join("") : "";
    if (!said.endsWith(text)) this.say(text, "error");
  }
}

/** What is worth a word; a turn that just ended is not. */
const STOPPED: Readonly<Record<string, string>> = {
  cancelled: "Stopped.",
  refusal: "The model refused to go on.",
  max_tokens: "The model ran out of room for its answer. Say “go on” to continue.",
  max_turn_requests: "The turn took too many steps and was ended. Say “go on” to continue.",
};

/** A failure as a sentence for a person. */
export function toWords(cause: unknown): string {
  // Which field of which request it was says nothing to a person.
  if (cause instanceof RpcError) return cause.message.replace(/^Invalid params: (?:session\/\w+\.)?/, "");
  return cause instanceof Error ? cause.message : String(cause);
}
