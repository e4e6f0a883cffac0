// How far a connection has come: the handshake and what it promised, which sessions are open, which of them are in a turn.
// Learns from the client's requests and from what they are answered.

import { fieldOf } from "../json/fields.ts";
import type { FrameShape } from "./frame-shape.ts";
import type { Asked } from "./open-requests.ts";
import type { Sender } from "./recording.ts";

export class Progress {
  readonly #sessions = new Set<string>();
  readonly #turns = new Map<string, number>();
  readonly #capabilities: Record<Sender, object | undefined> = { client: undefined, agent: undefined };
  #handshake: "none" | "asked" | "done" = "none";

  get handshake(): "none" | "asked" | "done" {
    return this.#handshake;
  }

  capabilitiesOf(side: Sender): object | undefined {
    return this.#capabilities[side];
  }

  hasSession(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  isInTurn(sessionId: string): boolean {
    return this.#turns.has(sessionId);
  }

  /** The client asks. */
  ask(method: string, params: unknown): void {
    if (method === "initialize") {
      if (this.#handshake === "none") this.#handshake = "asked";
      this.#capabilities.client = fieldOf(params, "clientCapabilities") as object | undefined;
    }
    const sessionId = fieldOf(params, "sessionId");
    if (typeof sessionId !== "string") return;
    // Its history is told before it is answered.
    if (method === "session/load" || method === "session/resume") this.#sessions.add(sessionId);
    if (method === "session/prompt") this.#turns.set(sessionId, (this.#turns.get(sessionId) ?? 0) + 1);
  }

  /** The agent answers. */
  answer({ method, params }: Asked, shape: Extract<FrameShape, { type: "result" | "error" }>): void {
    const failed = shape.type === "error";
    const result = failed ? undefined : shape.result;
    const sessionId = fieldOf(params, "sessionId");
    if (method === "session/prompt" && typeof sessionId === "string") this.#endTurn(sessionId);
    if (method === "initialize") {
      this.#handshake = failed ? "none" : "done";
      this.#capabilities.agent = fieldOf(result, "agentCapabilities") as object | undefined;
    } else if (method === "session/new" || method === "session/fork") {
      const made = fieldOf(result, "sessionId");
      if (typeof made === "string") this.#sessions.add(made);
    } else if (typeof sessionId === "string") {
      const closes = !failed && (method === "session/close" || method === "session/delete");
      const neverOpened = failed && (method === "session/load" || method === "session/resume");
      if (closes || neverOpened) this.#sessions.delete(sessionId);
    }
  }

  #endTurn(sessionId: string): void {
    const left = (this.#turns.get(sessionId) ?? 1) - 1;
    if (left > 0) this.#turns.set(sessionId, left);
    else this.#turns.delete(sessionId);
  }
}
