// One side of a script at work, whichever library carries it. It answers what it is asked as the script says, and keeps
// what it heard and how its own questions ended. It compares nothing: that is for the test.

import type { ErrorObject } from "@agentao/acp";
import { flatten, REACHED, type RequestStep, type Side, type Step } from "./exchange.ts";

/** What a library must do for a part. */
export interface Peer {
  /** Rejects with the error the other side answered. Once the signal fires, it sends `$/cancel_request` and waits. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void> | undefined;
  /** The library's own error that travels. */
  toError(error: ErrorObject): Error;
}

/** A request as a handler gets it. */
export interface Question {
  readonly method: string;
  readonly params: unknown;
  /** Fires when the other side sends `$/cancel_request`. */
  readonly signal: AbortSignal;
  /** Waits until `session/cancel` comes, and may reject then. */
  turnCancelled?(): Promise<unknown>;
}

export type Outcome = { readonly result: unknown } | { readonly error: ErrorObject } | { readonly failure: string };

export interface PartReport {
  /** Params by method, in the order in which they came. */
  readonly heard: { readonly [method: string]: readonly unknown[] };
  /** By the title of the request. */
  readonly outcomes: { readonly [title: string]: Outcome };
  /** What our library noticed and survived; nothing where the other one runs. */
  readonly diagnostics: readonly string[];
}

/** What a client prints at the end. */
export interface PairReport {
  readonly client: PartReport;
  readonly agent: PartReport;
  /** How the agent's process ended after its input had. */
  readonly exit: { readonly exitCode: number | null; readonly signal: string | null };
}

export class Part {
  /** Methods outside the protocol that this side must have a handler for. */
  readonly extRequests: readonly string[];
  readonly extNotifications: readonly string[];
  readonly #asked: RequestStep[];
  readonly #heard: { [method: string]: unknown[] } = {};
  readonly #outcomes: { [title: string]: Outcome } = {};
  readonly #withdrawals = new Map<string, AbortController>();

  constructor(side: Side, script: readonly Step[]) {
    const others = flatten(script)
      .filter(({ by }) => by !== side)
      .map(({ step }) => step);
    this.#asked = others.filter((step) => step.type === "request").filter(({ answer }) => answer.type !== "refusal");
    this.extRequests = extensions(this.#asked);
    this.extNotifications = [REACHED, ...extensions(others.filter((s) => s.type === "notification" && !s.unheard))];
  }

  async play(steps: readonly Step[], peer: Peer): Promise<void> {
    for (const step of steps) {
      if (step.type === "notification") await peer.notify(step.method, step.params);
      else this.#outcomes[step.title] = await this.#ask(step, peer);
    }
  }

  async answer(question: Question, peer: Peer): Promise<unknown> {
    const { method, params, signal } = question;
    this.hear(method, params);
    const { title, during, answer } = this.#next(method);
    await this.play(during, peer);
    switch (answer.type) {
      case "result":
        return answer.result;
      case "cancelled-turn":
        await question.turnCancelled?.();
        return answer.result;
      case "error":
        throw peer.toError(answer.error);
      case "crash":
        throw new Error(answer.message);
      case "withdrawal":
        await peer.notify(REACHED, { title });
        await fired(signal);
        this.hear("$/cancel_request", { method });
        throw signal.reason;
      case "refusal":
        throw new Error(`${method} was to be refused before it came here`);
    }
  }

  hear(method: string, params: unknown): void {
    this.#heard[method] ??= [];
    this.#heard[method].push(params);
    if (method === REACHED) this.#withdrawals.get((params as { title: string }).title)?.abort();
  }

  report(diagnostics: readonly string[] = []): PartReport {
    return { heard: this.#heard, outcomes: this.#outcomes, diagnostics };
  }

  #ask({ title, method, params, answer }: RequestStep, peer: Peer): Promise<Outcome> {
    const controller = new AbortController();
    if (answer.type === "withdrawal") this.#withdrawals.set(title, controller);
    return peer.request(method, params, controller.signal).then((result) => ({ result }), toOutcome);
  }

  #next(method: string): RequestStep {
    const at = this.#asked.findIndex((step) => step.method === method);
    const [step] = at < 0 ? [] : this.#asked.splice(at, 1);
    if (step === undefined) throw new Error(`the script has no more ${method}`);
    return step;
  }
}

function extensions(steps: readonly Step[]): string[] {
  return [...new Set(steps.map(({ method }) => method).filter((method) => method.startsWith("_")))];
}

function toOutcome(cause: unknown): Outcome {
  const { code, message, data } = cause as Partial<ErrorObject>;
  return typeof code === "number" ? { error: { code, message: String(message), data } } : { failure: String(cause) };
}

export function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
