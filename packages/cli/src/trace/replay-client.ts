// Plays the client of a recording against an agent: sends what was sent, waits for what was waited for, answers what was
// answered, and says what the agent does differently.

import type { Readable, Writable } from "node:stream";
import { compareAnswers } from "./compare.ts";
import { isFields, keyOf } from "./frame-shape.ts";
import { type Answer, methodOf, type Play, type Question, type Said, type Step } from "./steps.ts";
import { pause, Wire } from "./wire.ts";

export interface ReplayOptions {
  readonly play: Play;
  readonly input: Readable;
  readonly output: Writable;
  readonly speed: "instant" | "real";
  /** For each wait: an answer, a question. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Also what the agent said, word for word. */
  readonly compareText?: boolean | undefined;
  /** As the agent: a client that has asked something else, and waits for it, is on another path after this. */
  readonly patienceMs?: number | undefined;
}

export interface ReplayReport {
  /** In sentences. */
  readonly differences: readonly string[];
  /** Frames of the recording that took part. */
  readonly played: number;
}

/** A cancel belongs after what it cancels; a turn that has gone another way is not waited for longer. */
const PROGRESS_MS = 2_000;

export async function replayClient(options: ReplayOptions): Promise<ReplayReport> {
  return new ClientReplay(options).run();
}

interface Turn {
  readonly kinds: Set<string>;
  text: string;
  count: number;
}

class ClientReplay {
  readonly #options: ReplayOptions;
  readonly #wire: Wire;
  readonly #differences: string[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #open = new Set<string>();
  /** Questions of the agent, by the recorded one they were taken for. */
  readonly #asked = new Map<number, Question>();
  /** What the agent calls a session, by what it was called in the recording. */
  readonly #sessions = new Map<string, string>();
  readonly #turns = new Map<string, Turn>();
  /** Updates outside of turns, by what the agent calls the session. */
  readonly #between = new Map<string, number>();

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#wire = new Wire(options.input, options.output, (said) => this.#hear(said));
    options.signal.addEventListener("abort", () => this.#wire.stop(), { once: true });
  }

  async run(): Promise<ReplayReport> {
    const { steps } = this.#options.play;
    let played = 0;
    for (const step of steps) {
      if (step.from === "client") await this.#say(step);
      else if (!(await this.#expect(step))) break;
      played++;
      if (this.#wire.ended) break;
    }
    if (played < steps.length) {
      this.#differ(`the replay ended after ${played} of ${steps.length} frames: the agent says nothing more`);
    }
    return { differences: this.#differences, played };
  }

  // ---- what the recorded client said ----

  async #say(step: Step): Promise<void> {
    await this.#pace(step);
    const { said } = step;
    switch (said.type) {
      case "request":
        if (said.method === "session/prompt") {
          await this.#wire.until(() => this.#hasHeardBefore(step), { withinMs: PROGRESS_MS });
          this.#beginTurn(said.params);
        }
        this.#open.add(keyOf(said.id));
        this.#wire.send({ id: said.id, method: said.method, params: this.#translate(said.params) });
        return;
      case "notification":
        await this.#wire.until(() => this.#hasComeAsFar(step), { withinMs: PROGRESS_MS });
        this.#wire.send({ method: said.method, params: this.#translate(said.params) });
        return;
      case "result":
      case "error":
        if (step.question !== undefined && !this.#isImmediate(step.question)) this.#answer(step.question);
    }
  }

  /** As many updates outside of turns as the recording had before this prompt: what follows session/new is no answer. */
  #hasHeardBefore({ index, said }: Step): boolean {
    const sessionId = "params" in said && isFields(said.params) ? String(said.params.sessionId) : "";
    const heard = this.#between.get(this.#sessions.get(sessionId) ?? sessionId) ?? 0;
    return heard >= countBetween(this.#options.play.steps.slice(0, index), sessionId);
  }

  /** As many updates as the recording had before this step, in the turns that are still open. */
  #hasComeAsFar({ index, said }: Step): boolean {
    const sessionId = "params" in said && isFields(said.params) ? said.params.sessionId : undefined;
    const turn = this.#turns.get(String(sessionId));
    if (turn === undefined || this.#open.size === 0) return true;
    return turn.count >= this.#recordedTurn(index, sessionId).count;
  }

  /** What a model or person took their time for before; nothing when it is to be quick. */
  #pace({ index, atMs }: Step): Promise<void> {
    const { speed, play, signal } = this.#options;
    const before = play.steps[index - 1];
    return speed === "real" && before !== undefined ? pause(atMs - before.atMs, signal) : Promise.resolve();
  }

  // ---- what the recorded agent said ----

  /** False when there is no use in going on. */
  async #expect(step: Step): Promise<boolean> {
    const { said, question } = step;
    if (said.type === "notification") return true;
    if (said.type === "request") return this.#expectQuestion(step, said);
    if (question === undefined) return true;
    const method = methodOf(step);
    const { timeoutMs } = this.#options;
    if (!(await this.#wire.until(() => this.#answers.has(keyOf(said.id)), { withinMs: timeoutMs }))) {
      this.#differ(
        `${method} was answered, and is not answered ${this.#wire.ended ? "any more" : `in ${timeoutMs} ms`} now`,
      );
      return false;
    }
    const answer = this.#answers.get(keyOf(said.id)) as Answer;
    for (const sentence of compareAnswers(method, said, answer)) this.#differ(sentence);
    this.#learnSession(said, answer);
    if (method === "session/prompt") this.#endTurn(step);
    return true;
  }

  async #expectQuestion({ index }: Step, { method }: Question): Promise<boolean> {
    const isOver = (): boolean => this.#asked.has(index) || this.#open.size === 0;
    await this.#wire.until(isOver, { withinMs: this.#options.timeoutMs });
    if (!this.#asked.has(index)) this.#differ(`the agent asked ${method}, and does not ask it now`);
    return !this.#wire.ended || this.#asked.has(index);
  }

  #learnSession(before: Answer, now: Answer): void {
    if (before.type !== "result" || now.type !== "result" || !isFields(before.result) || !isFields(now.result)) return;
    const [was, is] = [before.result.sessionId, now.result.sessionId];
    if (typeof was === "string" && typeof is === "string") this.#sessions.set(was, is);
  }

  // ---- what the agent says now ----

  #hear(said: Said): void {
    switch (said.type) {
      case "result":
      case "error":
        this.#open.delete(keyOf(said.id));
        this.#answers.set(keyOf(said.id), said);
        return;
      case "notification":
        if (said.method === "session/update") this.#hearUpdate(said.params);
        return;
      case "request":
        this.#hearQuestion(said);
    }
  }

  #hearUpdate(params: unknown): void {
    if (!isFields(params)) return;
    const recorded = [...this.#sessions].find(([, now]) => now === params.sessionId)?.[0] ?? params.sessionId;
    const turn = this.#turns.get(String(recorded));
    const name = String(params.sessionId);
    if (turn !== undefined) addUpdate(turn, params.update);
    else this.#between.set(name, (this.#between.get(name) ?? 0) + 1);
  }

  #hearQuestion(asked: Question): void {
    const { steps } = this.#options.play;
    const recorded = steps.find(
      ({ index, from, said }) =>
        from === "agent" && said.type === "request" && said.method === asked.method && !this.#asked.has(index),
    );
    if (recorded === undefined) {
      this.#differ(`the agent asks ${asked.method}, which it did not ask before`);
      this.#wire.send({ id: asked.id, error: { code: -32603, message: "This question is not in the recording" } });
      return;
    }
    this.#asked.set(recorded.index, asked);
    if (this.#isImmediate(recorded)) this.#answer(recorded);
  }

  /** Whether the recorded client said nothing else before it answered; otherwise the answer waits for its place. */
  #isImmediate(question: Step): boolean {
    const { steps, answers } = this.#options.play;
    const answer = answers.get(question.index);
    if (answer === undefined) return false;
    return !steps.slice(question.index + 1, answer.index).some(({ from }) => from === "client");
  }

  #answer(question: Step): void {
    const asked = this.#asked.get(question.index);
    const answer = this.#options.play.answers.get(question.index)?.said;
    if (asked === undefined || answer === undefined) return;
    if (answer.type === "error") this.#wire.send({ id: asked.id, error: answer.error });
    else if (answer.type === "result") {
      const result = this.#translate(toOffered(answer.result, question.said, asked));
      this.#wire.send({ id: asked.id, result });
    }
  }

  // ---- turns ----

  #beginTurn(params: unknown): void {
    if (isFields(params)) this.#turns.set(String(params.sessionId), emptyTurn());
  }

  #endTurn({ index, question }: Step): void {
    const params = question?.said.type === "request" ? question.said.params : undefined;
    const sessionId = isFields(params) ? params.sessionId : undefined;
    const now = this.#turns.get(String(sessionId));
    if (now === undefined) return;
    const before = this.#recordedTurn(index, sessionId);
    for (const kind of before.kinds) if (!now.kinds.has(kind)) this.#differ(`the turn had ${kind}, and has none now`);
    for (const kind of now.kinds)
      if (!before.kinds.has(kind)) this.#differ(`the turn has ${kind}, and had none before`);
    if (this.#options.compareText && before.text !== now.text) {
      this.#differ(`the agent said ${quote(before.text)}, and says ${quote(now.text)}`);
    }
    this.#turns.delete(String(sessionId));
  }

  /** The updates of a session since its last prompt, up to a step. */
  #recordedTurn(upTo: number, sessionId: unknown): Turn {
    let turn = emptyTurn();
    for (const { said } of this.#options.play.steps.slice(0, upTo)) {
      if (!("params" in said) || !isFields(said.params) || said.params.sessionId !== sessionId) continue;
      if (said.method === "session/prompt") turn = emptyTurn();
      if (said.method === "session/update") addUpdate(turn, said.params.update);
    }
    return turn;
  }

  /** The recorded value with the names of sessions as the agent gave them now. */
  #translate(value: unknown): unknown {
    if (typeof value === "string") return this.#sessions.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#translate(item));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.#translate(field)]));
  }

  #differ(sentence: string): void {
    this.#differences.push(sentence);
  }
}

function emptyTurn(): Turn {
  return { kinds: new Set(), text: "", count: 0 };
}

/** The updates of a session that belong to none of its prompts. */
function countBetween(steps: readonly Step[], sessionId: string): number {
  let [count, isTurn] = [0, false];
  for (const step of steps) {
    const { said } = step.question ?? step;
    if (!("params" in said) || !isFields(said.params) || said.params.sessionId !== sessionId) continue;
    if (said.method === "session/prompt") isTurn = step.question === undefined;
    if (said.method === "session/update" && !isTurn) count++;
  }
  return count;
}

function addUpdate(turn: Turn, update: unknown): void {
  if (!isFields(update) || typeof update.sessionUpdate !== "string") return;
  turn.count++;
  turn.kinds.add(update.sessionUpdate);
  if (update.sessionUpdate !== "agent_message_chunk" || !isFields(update.content)) return;
  if (typeof update.content.text === "string") turn.text += update.content.text;
}

/** The same choice by its kind, where an agent names its options anew each time. */
function toOffered(result: unknown, before: Said, now: Question): unknown {
  if (now.method !== "session/request_permission" || !isFields(result) || !isFields(result.outcome)) return result;
  const { optionId } = result.outcome;
  const chosen = optionsOf(before).find((option) => option.optionId === optionId);
  const offered = optionsOf(now);
  if (chosen === undefined || offered.some((option) => option.optionId === optionId)) return result;
  const alike = offered.find((option) => option.kind === chosen.kind);
  return alike === undefined ? result : { ...result, outcome: { ...result.outcome, optionId: alike.optionId } };
}

function optionsOf(said: Said): readonly { readonly optionId?: unknown; readonly kind?: unknown }[] {
  const options = "params" in said && isFields(said.params) ? said.params.options : undefined;
  return Array.isArray(options) ? options.filter(isFields) : [];
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
