// Plays the agent of a recording for a client under test: answers as was answered, asks what was asked, and says what the
// client does differently. Every request is answered, also those the recording does not have.

import { compareAnswers } from "./compare.ts";
import { keyOf } from "./frame-shape.ts";
import { keepPace, type ReplayOptions, type ReplayReport } from "./replay.ts";
import { type Answer, methodOf, type Question, type Said, type Step } from "./steps.ts";
import { Wire } from "./wire.ts";

const PATIENCE_MS = 1_000;

export async function replayAgent(options: ReplayOptions): Promise<ReplayReport> {
  return new AgentReplay(options).run();
}

class AgentReplay {
  readonly #options: ReplayOptions;
  readonly #wire: Wire;
  readonly #differences: string[] = [];
  /** What the client said and nobody has taken yet. */
  readonly #heard: Said[] = [];
  /** What the client asked, by the recorded question it was taken for. */
  readonly #asked = new Map<number, Question>();
  #over = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#wire = new Wire(options.input, options.output, (said) => this.#hear(said));
    options.signal.addEventListener("abort", () => this.#wire.stop(), { once: true });
  }

  async run(): Promise<ReplayReport> {
    const { steps, end } = this.#options.play;
    let played = 0;
    for (const step of steps) {
      if (step.from === "agent") await this.#say(step);
      else if (!(await this.#expect(step))) break;
      played++;
    }
    if (played < steps.length) {
      this.#differ(`the client ended after ${played} of ${steps.length} frames`);
    } else if (end?.by !== "agent") {
      this.#over = true;
      for (const said of this.#heard.splice(0)) this.#refuse(said);
      await this.#wire.until(() => false, { withinMs: Number.POSITIVE_INFINITY });
    }
    return { differences: this.#differences, played };
  }

  async #say(step: Step): Promise<void> {
    await keepPace(step, this.#options);
    const { said, question } = step;
    switch (said.type) {
      case "request":
        this.#wire.send({ id: said.id, method: said.method, params: said.params });
        return;
      case "notification":
        this.#wire.send({ method: said.method, params: said.params });
        return;
      case "result":
      case "error": {
        const asked = question === undefined ? undefined : this.#asked.get(question.index);
        if (asked === undefined) return;
        const outcome = said.type === "result" ? { result: said.result } : { error: said.error };
        this.#wire.send({ id: asked.id, ...outcome });
      }
    }
  }

  /** False when the client says nothing more. */
  async #expect(step: Step): Promise<boolean> {
    const found = (): Said | undefined => this.#heard.find((said) => fits(step, said));
    const { timeoutMs, patienceMs = PATIENCE_MS } = this.#options;
    let waited = 0;
    while (found() === undefined) {
      if (await this.#wire.until(() => found() !== undefined, { withinMs: patienceMs })) break;
      if (this.#wire.ended) return false;
      waited += patienceMs;
      const isWaiting = this.#heard.some(({ type }) => type === "request");
      if (isWaiting || (step.said.type !== "request" && waited >= timeoutMs)) {
        this.#differ(`the client ${verb(step)} ${methodOf(step)}, and does not now`);
        return true;
      }
    }
    const said = found() as Said;
    this.#heard.splice(this.#heard.indexOf(said), 1);
    if (said.type === "request") this.#asked.set(step.index, said);
    if (said.type === "result" || said.type === "error") {
      for (const sentence of compareAnswers(methodOf(step), step.said as Answer, said)) this.#differ(sentence);
    }
    return true;
  }

  #hear(said: Said): void {
    const { steps } = this.#options.play;
    const isRecorded = steps.some((step) => step.from === "client" && !this.#asked.has(step.index) && fits(step, said));
    if (this.#over || (!isRecorded && said.type === "request")) this.#refuse(said);
    else if (isRecorded) this.#heard.push(said);
  }

  #refuse(said: Said): void {
    if (said.type !== "request") return;
    this.#differ(
      `the client asks ${said.method}, which ${this.#over ? "is after the end of" : "is not in"} the recording`,
    );
    this.#wire.send({ id: said.id, error: { code: -32603, message: "This request is not in the recording" } });
  }

  #differ(sentence: string): void {
    this.#differences.push(sentence);
  }
}

/** Questions and notices by their method; answers by the id, which is ours. */
function fits({ said }: Step, now: Said): boolean {
  if (said.type === "request" || said.type === "notification") {
    return now.type === said.type && now.method === said.method;
  }
  return (now.type === "result" || now.type === "error") && keyOf(now.id) === keyOf(said.id);
}

function verb({ said }: Step): string {
  if (said.type === "request") return "asked";
  return said.type === "notification" ? "told" : "answered";
}
