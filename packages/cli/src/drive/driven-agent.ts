// One running agent that is driven without a person: started, past the handshake, with a session; one turn at a time.

import { LocalError, type SessionUpdate } from "@agentao/acp";
import type { ExitStatus } from "@agentao/acp/node";
import { DriveFault } from "./drive-fault.ts";
import type { Place } from "./load-servers.ts";
import { createPolicy, type Policy } from "./policy.ts";
import type { PolicyMode, ServerConfig } from "./server-config.ts";
import { type DriveOptions, type StartedServer, startServer } from "./started-server.ts";
import { type Tell, type TurnEvent, toTurnEvent } from "./turn-event.ts";
import { untilAborted } from "./until-aborted.ts";

export interface TurnRequest {
  readonly text: string;
  readonly policy?: PolicyMode | undefined;
  /** How long the agent may be silent. */
  readonly timeoutMs?: number | undefined;
}

/** An agent whose cancelled turn does not end within this is ended: nobody could use it again. */
const CANCEL_MS = 3_000;

/** Throws a `DriveFault`; nothing is left running then. */
export async function openDrivenAgent(server: ServerConfig, place: Place, options: DriveOptions): Promise<DrivenAgent> {
  const policy = createPolicy(server.policy);
  return new DrivenAgent(server, { ...(await startServer(server, place, policy.handlers, options)), policy });
}

interface Opened extends StartedServer {
  readonly policy: Policy;
}

export class DrivenAgent {
  readonly #server: ServerConfig;
  readonly #opened: Opened;
  #busy = false;
  /** Why it was closed from here. */
  #giveUp: Error | undefined;

  /** Made by `openDrivenAgent`. */
  constructor(server: ServerConfig, opened: Opened) {
    this.#server = server;
    this.#opened = opened;
  }

  get pid(): number {
    return this.#opened.client.process.pid;
  }

  get exited(): Promise<ExitStatus> {
    return this.#opened.client.process.exited;
  }

  /** Resolves when the connection has ended; the value says why. */
  get closed(): Promise<Error> {
    return this.#opened.client.closed.then((cause) => this.#giveUp ?? cause);
  }

  get isBusy(): boolean {
    return this.#busy;
  }

  /**
   * Tells everything by events, of which the last is `end` or `fault`. Never rejects. An agent that does not end a
   * cancelled turn is closed.
   */
  async takeTurn(request: TurnRequest, tell: Tell, signal: AbortSignal): Promise<void> {
    const { name, policy } = this.#server;
    if (this.#busy) {
      const message = `${name} is in the middle of a turn. Try again later.`;
      await tell({ type: "fault", code: "server_busy", message });
      return;
    }
    this.#busy = true;
    this.#opened.policy.setMode(request.policy ?? policy);
    this.#opened.policy.take();
    try {
      const last = await this.#prompt(request, tell, signal);
      void tell(last);
    } catch (cause) {
      void tell(toFault(this.#server, cause as Error));
    } finally {
      this.#busy = false;
    }
  }

  async close(): Promise<void> {
    await this.#opened.client.close();
    await this.#opened.lent.close();
  }

  async #prompt({ text, timeoutMs }: TurnRequest, tell: Tell, signal: AbortSignal): Promise<TurnEvent> {
    const { client, sessionId, silence } = this.#opened;
    const silenceMs = timeoutMs ?? this.#server.requestTimeoutMs;
    const stopping = new AbortController();
    const stop = AbortSignal.any([signal, stopping.signal]);
    const turn = client.prompt(sessionId, text, { signal: stop });
    const reading = (async () => {
      for await (const update of turn) {
        const event = toTurnEvent(update as SessionUpdate);
        const caughtUp = event === undefined ? undefined : tell(event);
        // Whoever listens may take its time, but is not waited for once the turn is to end.
        if (caughtUp !== undefined) await silence.during(untilAborted(stop, caughtUp));
        else silence.broken();
      }
      return turn.result;
    })();
    silence.begin(silenceMs, () => stopping.abort());
    stop.addEventListener("abort", () => silence.end(), { once: true });
    try {
      const result = await Promise.race([reading, givenUp(stop)]);
      if (result === undefined) await this.#endStuck();
      if (stopping.signal.aborted) throw new DriveFault("request_timeout", silent(this.#server, silenceMs));
      return this.#toEnd(result?.stopReason ?? "cancelled");
    } finally {
      silence.end();
      reading.catch(() => {});
    }
  }

  async #endStuck(): Promise<void> {
    this.#giveUp = new Error("it did not end a turn that was cancelled, and so was ended itself");
    await this.close();
  }

  /** What nobody was there to allow is no success, even if the agent found something to say. */
  #toEnd(stopReason: Extract<TurnEvent, { type: "end" }>["stopReason"]): TurnEvent {
    const interactions = this.#opened.policy.take();
    const refused = interactions.find(({ accepted }) => !accepted);
    if (refused === undefined || stopReason === "cancelled") return { type: "end", stopReason, interactions };
    const todo =
      refused.method === "session/request_permission"
        ? 'Use --allow, or "nonInteractivePolicy": { "mode": "accept_all" } in acp.json, if it may do everything it asks for.'
        : "Say in the prompt what it would have to ask.";
    const message = `${this.#server.name} asked "${refused.about}" and was refused: nobody is there. ${todo}`;
    return { type: "fault", code: "interaction_required", message };
  }
}

/** Resolves, with nothing, some time after the signal. */
async function givenUp(signal: AbortSignal): Promise<undefined> {
  await untilAborted(signal);
  await new Promise((resolve) => void setTimeout(resolve, CANCEL_MS).unref());
}

function silent({ name }: ServerConfig, silenceMs: number): string {
  return `${name} said nothing for ${silenceMs} ms. Give it more time: --timeout, or requestTimeoutMs in acp.json.`;
}

/** `strange` counts lines that are no frames: what a program writes that speaks something else. */
function toFault({ name }: ServerConfig, cause: Error): TurnEvent {
  if (cause instanceof DriveFault) return { type: "fault", code: cause.code, message: cause.message };
  const code = cause instanceof LocalError && cause.type === "closed" ? "transport_disconnect" : "protocol_error";
  return { type: "fault", code, message: `${name}: ${cause.message}` };
}
