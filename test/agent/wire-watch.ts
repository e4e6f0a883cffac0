// Watches every frame between agent and client, and says which promises of the wire were broken. Used by every scenario,
// so that each of them holds the agent to all of these.

import type { Frame, Receiver, SessionUpdate, Stream } from "@agentao/acp";
import { isValid } from "./wire-schema.ts";

/** Clients in the field die at 64 KiB. */
const MAX_LINE_BYTES = 48 * 1024;

export interface Passed {
  readonly from: "agent" | "client";
  readonly frame: Frame;
}

interface AnyFrame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [field: string]: unknown };
  readonly result?: { readonly [field: string]: unknown } | null;
}

/** What a client must have advertised before it is asked. */
const NEEDS: Readonly<Record<string, (has: Capabilities) => unknown>> = {
  "fs/read_text_file": (has) => has.fs?.readTextFile,
  "fs/write_text_file": (has) => has.fs?.writeTextFile,
  "elicitation/create": (has) => has.elicitation?.form,
};

interface Capabilities {
  readonly fs?: { readonly readTextFile?: boolean; readonly writeTextFile?: boolean };
  readonly terminal?: boolean;
  readonly elicitation?: { readonly form?: object | null };
}

/** Updates that belong to a turn, or to a replay. */
const OF_A_TURN = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

export class WireWatch {
  readonly passed: Passed[] = [];
  /** One sentence for each promise that was broken. */
  readonly broken: string[] = [];
  readonly #requests = new Map<string, { readonly method: string; readonly sessionId: string }>();
  /** Turns and replays that are under way, by session. */
  readonly #open = new Map<string, number>();
  /** Calls that were announced, by session and id; false while they have not ended. */
  readonly #calls = new Map<string, boolean>();
  readonly #terminals = new Set<string>();
  #capabilities: Capabilities = {};
  readonly #onPassed: () => void;

  constructor(onPassed: () => void) {
    this.#onPassed = onPassed;
  }

  /** The stream of the agent, as JSON text would pass it, watched in both directions. */
  around(stream: Stream): Stream {
    return {
      open: (receiver) => stream.open(this.#receiver(receiver)),
      send: (frame) => {
        const line = JSON.stringify(frame);
        const bytes = Buffer.byteLength(line);
        if (bytes >= MAX_LINE_BYTES) this.broken.push(`a line of ${bytes} bytes: ${line.slice(0, 200)}`);
        const sent = JSON.parse(line) as Frame;
        this.passed.push({ from: "agent", frame: sent });
        this.#sent(sent as AnyFrame);
        const room = stream.send(sent);
        this.#onPassed();
        return room;
      },
      hold: () => stream.hold(),
      release: () => stream.release(),
      get hasMore() {
        return stream.hasMore;
      },
      flush: () => stream.flush(),
      close: () => stream.close(),
    };
  }

  /** What is only known at the end. */
  finish(): readonly string[] {
    for (const id of this.#terminals) this.broken.push(`C-240: terminal ${id} was never released`);
    return this.broken;
  }

  #receiver(inner: Receiver): Receiver {
    return {
      frame: (value) => {
        const frame = JSON.parse(JSON.stringify(value)) as Frame;
        this.passed.push({ from: "client", frame });
        this.#received(frame as AnyFrame);
        inner.frame(frame);
        this.#onPassed();
      },
      garbage: (problem) => inner.garbage(problem),
      ended: (cause) => inner.ended(cause),
    };
  }

  #received({ id, method, params, result }: AnyFrame): void {
    const sessionId = String(params?.sessionId);
    if (method === undefined) {
      const asked = this.#requests.get(`agent ${id}`);
      const terminalId = asked?.method === "terminal/create" ? result?.terminalId : undefined;
      if (typeof terminalId === "string") this.#terminals.add(terminalId);
      return;
    }
    if (id !== undefined) this.#requests.set(`client ${id}`, { method, sessionId });
    if (method === "initialize") this.#capabilities = (params?.clientCapabilities ?? {}) as Capabilities;
    if (method === "session/prompt" || method === "session/load") this.#count(sessionId, 1);
  }

  #sent({ id, method, params, result }: AnyFrame): void {
    const asked = this.#requests.get(`client ${id}`)?.method ?? "";
    const valid =
      method === undefined
        ? result === undefined || isValid("Response", asked, result)
        : isValid(id === undefined ? "Notification" : "Request", method, params);
    if (!valid) this.broken.push(`not valid by the schema: ${JSON.stringify(params ?? result).slice(0, 500)}`);
    if (method === "session/update") this.#update(String(params?.sessionId), params?.update as SessionUpdate);
    else if (method !== undefined && id !== undefined) this.#asked(String(id), method, params ?? {});
    else if (method === undefined) this.#answered(String(id));
  }

  #asked(id: string, method: string, params: { readonly [field: string]: unknown }): void {
    this.#requests.set(`agent ${id}`, { method, sessionId: String(params.sessionId) });
    const isOffered = method.startsWith("terminal/")
      ? this.#capabilities.terminal
      : (NEEDS[method]?.(this.#capabilities) ?? NEEDS[method] === undefined);
    if (!isOffered) this.broken.push(`C-238, C-239: ${method} was called though the client did not offer it`);
    if (method === "terminal/release") this.#terminals.delete(String(params.terminalId));
    else if (method.startsWith("terminal/") && method !== "terminal/create") {
      const known = this.#terminals.has(String(params.terminalId));
      if (!known) this.broken.push(`C-241: ${method} was called with a terminal that was released`);
    }
  }

  #answered(id: string): void {
    const asked = this.#requests.get(`client ${id}`);
    if (asked?.method !== "session/prompt" && asked?.method !== "session/load") return;
    this.#count(asked.sessionId, -1);
    if (this.#open.get(asked.sessionId) !== 0) return;
    for (const [call, ended] of this.#calls) {
      if (!ended && call.startsWith(`${asked.sessionId} `)) {
        this.broken.push(`C-225: call ${call} had not ended when ${asked.method} was answered`);
        this.#calls.set(call, true);
      }
    }
  }

  #update(sessionId: string, update: SessionUpdate): void {
    if (OF_A_TURN.has(update.sessionUpdate) && (this.#open.get(sessionId) ?? 0) === 0) {
      // A `session/new` that resumes is the only other request that replays.
      const isReplay =
        [...this.#requests.values()].some(({ method }) => method === "session/new") && !this.#open.has(sessionId);
      if (!isReplay) this.broken.push(`C-195, C-212: ${update.sessionUpdate} outside of any turn`);
    }
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const call = `${sessionId} ${update.toolCallId}`;
    if (update.sessionUpdate === "tool_call_update" && !this.#calls.has(call)) {
      this.broken.push(`C-221: call ${call} was never announced`);
    }
    this.#calls.set(call, update.status === "completed" || update.status === "failed");
  }

  #count(sessionId: string, by: 1 | -1): void {
    this.#open.set(sessionId, (this.#open.get(sessionId) ?? 0) + by);
  }
}
