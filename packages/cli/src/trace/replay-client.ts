// Plays the client of a recording against an agent: sends what was sent, waits for what was waited for, answers what was
// answered, and says what the agent does differently.

import { isFields } from "../json/fields.ts";
import { compareAnswers } from "./compare.ts";
import { keyOf } from "./frame-shape.ts";
import { keepPace, type ReplayOptions, type ReplayReport } from "./replay.ts";
import { type Answer, methodOf, type Question, type Said, type Step } from "./steps.ts";
import { toOffered } from "./to-offered.ts";
import {
  addUpdate,
  compareTurns,
  countBetweenTurns,
  emptyOutline,
  outlineTurn,
  type TurnOutline,
} from "./turn-outline.ts";
import { Wire } from "./wire.ts";

/** A cancel belongs after what it cancels; a turn that has gone another way is not waited for longer. */
const PROGRESS_MS = 2_000;

export async function replayClient(options: ReplayOptions): Promise<ReplayReport> {
  return new ClientReplay(options).run();
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
  readonly #turns = new Map<string, TurnOutline>();
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
    const { strange } = this.#wire;
    if (strange > 0 && this.#options.play.left === 0) {
      this.#differ(
        `the agent writes ${strange} ${strange === 1 ? "line that is no frame" : "lines that are no frames"}, and wrote none before`,
      );
    }
    return { differences: this.#differences, played };
  }

  // ---- what the recorded client said ----

  async #say(step: Step): Promise<void> {
    await keepPace(step, this.#options);
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
    return heard >= countBetweenTurns(this.#options.play.steps.slice(0, index), sessionId);
  }

  /** As many updates as the recording had before this step, in the turns that are still open. */
  #hasComeAsFar({ index, said }: Step): boolean {
    const sessionId = "params" in said && isFields(said.params) ? said.params.sessionId : undefined;
    const turn = this.#turns.get(String(sessionId));
    if (turn === undefined || this.#open.size === 0) return true;
    return turn.count >= outlineTurn(this.#options.play.steps, index, sessionId).count;
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
    if (isFields(params)) this.#turns.set(String(params.sessionId), emptyOutline());
  }

  #endTurn({ index, question }: Step): void {
    const params = question?.said.type === "request" ? question.said.params : undefined;
    const sessionId = isFields(params) ? params.sessionId : undefined;
    const now = this.#turns.get(String(sessionId));
    if (now === undefined) return;
    const before = outlineTurn(this.#options.play.steps, index, sessionId);
    for (const sentence of compareTurns(before, now, this.#options)) this.#differ(sentence);
    this.#turns.delete(String(sessionId));
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
