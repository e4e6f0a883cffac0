// What a turn has used so far, from its updates. Small, since it is looked at with every one of them.

import type { SessionUpdate } from "@agentao/acp";

export interface Usage {
  /** Over all requests of the turn. */
  readonly tokens: number;
  /** In US dollars, of the turn; where the agent tells. */
  readonly cost: number | undefined;
}

export class Meter {
  readonly #open = new Set<string>();
  readonly #seen = new Set<string>();
  #steps = 0;
  #tokens = 0;
  #costBefore: number | undefined;
  #cost: number | undefined;
  #hasBegun = false;
  #title = "";

  /** Groups of tool calls: one begins when none is open. */
  get steps(): number {
    return this.#steps;
  }

  get toolCalls(): number {
    return this.#seen.size;
  }

  /** Of the call that runs; empty while the model is asked. */
  get title(): string {
    return this.#open.size === 0 ? "" : this.#title;
  }

  get usage(): Usage {
    const cost = this.#cost === undefined ? undefined : Math.max(0, this.#cost - (this.#costBefore ?? 0));
    return { tokens: this.#tokens, cost };
  }

  add(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
        this.#hasBegun = true;
        break;
      case "tool_call":
      case "tool_call_update":
        this.#hasBegun = true;
        this.#addCall(update);
        break;
      case "usage_update": {
        const { used, cost } = update;
        // What an agent tells before its turn has said anything is about the session as it was.
        if (this.#hasBegun) this.#tokens += used;
        else this.#costBefore = cost?.amount;
        this.#cost = cost?.amount ?? this.#cost;
        break;
      }
      default:
    }
  }

  #addCall({ toolCallId, title, status }: { toolCallId: string; title?: string | null | undefined; status?: unknown }) {
    const isOver = status === "completed" || status === "failed";
    if (!this.#seen.has(toolCallId)) {
      this.#seen.add(toolCallId);
      if (this.#open.size === 0) this.#steps++;
      if (!isOver) this.#open.add(toolCallId);
    }
    if (isOver) this.#open.delete(toolCallId);
    else if (title != null) this.#title = title;
  }
}
