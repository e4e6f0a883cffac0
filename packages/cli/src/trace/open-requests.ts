// Requests that wait for their answers, of both sides.

import { keyOf } from "./frame-shape.ts";
import type { Sender } from "./recording.ts";

export interface OpenRequest {
  readonly from: Sender;
  readonly id: string | number;
  readonly method: string;
}

export interface Asked extends OpenRequest {
  readonly atMs: number;
  readonly params: unknown;
}

export class OpenRequests {
  readonly #open: Record<Sender, Map<string, Asked>> = { client: new Map(), agent: new Map() };

  /** False when the sender has one open with the same id, which is forgotten then. */
  add(asked: Asked): boolean {
    const open = this.#open[asked.from];
    const isNew = !open.has(keyOf(asked.id));
    open.set(keyOf(asked.id), asked);
    return isNew;
  }

  /** What an answer is to, which is no longer open then. */
  take(answeredBy: Sender, id: unknown): Asked | undefined {
    const open = this.#open[answeredBy === "client" ? "agent" : "client"];
    const asked = open.get(keyOf(id));
    open.delete(keyOf(id));
    return asked;
  }

  has(from: Sender, method: string): boolean {
    for (const asked of this.#open[from].values()) if (asked.method === method) return true;
    return false;
  }

  /** In the order in which they were sent. */
  list(): readonly OpenRequest[] {
    const all = [...this.#open.client.values(), ...this.#open.agent.values()];
    return all.sort((a, b) => a.atMs - b.atMs).map(({ from, id, method }) => ({ from, id, method }));
  }
}
