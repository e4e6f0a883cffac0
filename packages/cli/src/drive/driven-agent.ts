// One running agent that is driven without a person: started, past the handshake, with a session; one turn at a time.

import { LocalError, RpcError, type SessionUpdate } from "@agentao/acp";
import {
  createFileHandlers,
  createTerminalHandlers,
  type ExitStatus,
  type SpawnedClient,
  spawnAgent,
} from "@agentao/acp/node";
import { version } from "../version.ts";
import { DriveFault } from "./drive-fault.ts";
import { type Place, toLaunch } from "./load-servers.ts";
import { createPolicy, type Policy } from "./policy.ts";
import type { PolicyMode, ServerConfig } from "./server-config.ts";
import { type TurnEvent, toTurnEvent } from "./turn-event.ts";

export interface DriveOptions {
  /** Hears what the agent writes to stderr. Must not throw. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Tells when the process is there and the handshake begins. */
  readonly onStarted?: ((pid: number) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface TurnRequest {
  readonly text: string;
  readonly policy?: PolicyMode | undefined;
  /** How long the agent may be silent. */
  readonly timeoutMs?: number | undefined;
}

/** A cancelled turn that does not end within this is left alone. */
const CANCEL_MS = 3_000;

/** Throws a `DriveFault`; nothing is left running then. */
export async function openDrivenAgent(server: ServerConfig, place: Place, options: DriveOptions): Promise<DrivenAgent> {
  const { command, cwd, env } = toLaunch(server, place);
  const policy = createPolicy(server.policy);
  const lent = lend(server, cwd, env);
  let client: SpawnedClient;
  try {
    client = await spawnAgent(
      command,
      { ...lent.handlers, ...policy.handlers },
      { cwd, env, onStderr: options.onStderr, info: { name: "agentao", title: "Agentao", version } },
    );
  } catch (cause) {
    throw new DriveFault("process_start_fail", `${server.name}: ${(cause as Error).message}`, { cause });
  }
  options.onStarted?.(client.process.pid);
  try {
    const waits = { timeoutMs: server.startupTimeoutMs, signal: options.signal };
    await client.initialize({}, waits);
    const { sessionId } = await client.newSession({ cwd }, waits);
    return new DrivenAgent(server, client, sessionId, policy, lent.close);
  } catch (cause) {
    await client.close();
    await lent.close();
    throw new DriveFault("handshake_fail", explainHandshake(server, cause as Error), { cause });
  }
}

export class DrivenAgent {
  readonly #server: ServerConfig;
  readonly #client: SpawnedClient;
  readonly #sessionId: string;
  readonly #policy: Policy;
  readonly #closeLent: () => Promise<void>;
  #busy = false;

  constructor(
    server: ServerConfig,
    client: SpawnedClient,
    sessionId: string,
    policy: Policy,
    closeLent: () => Promise<void>,
  ) {
    this.#server = server;
    this.#client = client;
    this.#sessionId = sessionId;
    this.#policy = policy;
    this.#closeLent = closeLent;
  }

  get pid(): number {
    return this.#client.process.pid;
  }

  get exited(): Promise<ExitStatus> {
    return this.#client.process.exited;
  }

  /** Resolves when the connection has ended; the value says why. */
  get closed(): Promise<Error> {
    return this.#client.closed;
  }

  get isBusy(): boolean {
    return this.#busy;
  }

  /** Tells everything by events, of which the last is `end` or `fault`. Never rejects. */
  async takeTurn(request: TurnRequest, tell: (event: TurnEvent) => void, signal: AbortSignal): Promise<void> {
    if (this.#busy) {
      tell({
        type: "fault",
        code: "server_busy",
        message: `${this.#server.name} is in the middle of a turn. Try again later.`,
      });
      return;
    }
    this.#busy = true;
    this.#policy.setMode(request.policy ?? this.#server.policy);
    this.#policy.take();
    try {
      tell(await this.#prompt(request, tell, signal));
    } catch (cause) {
      tell(toFault(this.#server, cause as Error));
    } finally {
      this.#busy = false;
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#closeLent();
  }

  async #prompt(
    { text, timeoutMs }: TurnRequest,
    tell: (event: TurnEvent) => void,
    signal: AbortSignal,
  ): Promise<TurnEvent> {
    const silenceMs = timeoutMs ?? this.#server.requestTimeoutMs;
    const stopping = new AbortController();
    const stop = AbortSignal.any([signal, stopping.signal]);
    const turn = this.#client.prompt(this.#sessionId, text, { signal: stop });
    let timer = setTimeout(() => stopping.abort(), silenceMs);
    const reading = (async () => {
      for await (const update of turn) {
        clearTimeout(timer);
        if (!stop.aborted) timer = setTimeout(() => stopping.abort(), silenceMs);
        const event = toTurnEvent(update as SessionUpdate);
        if (event !== undefined) tell(event);
      }
      return turn.result;
    })();
    try {
      const result = await Promise.race([reading, givenUp(stop)]);
      if (stopping.signal.aborted) throw new DriveFault("request_timeout", silent(this.#server, silenceMs));
      return this.#toEnd(result?.stopReason ?? "cancelled");
    } finally {
      clearTimeout(timer);
      reading.catch(() => {});
    }
  }

  /** What nobody was there to allow is no success, even if the agent found something to say. */
  #toEnd(stopReason: Extract<TurnEvent, { type: "end" }>["stopReason"]): TurnEvent {
    const interactions = this.#policy.take();
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

function lend({ lend: lent }: ServerConfig, cwd: string, env: Place["env"]) {
  const files = createFileHandlers({ roots: [cwd] });
  const terminals = lent.includes("terminal")
    ? createTerminalHandlers({ roots: [cwd], defaultCwd: cwd, env })
    : undefined;
  const { releaseSession: _, close, ...commands } = terminals ?? { releaseSession: undefined, close: async () => {} };
  const handlers = {
    ...(lent.includes("read") && { readTextFile: files.readTextFile }),
    ...(lent.includes("write") && { writeTextFile: files.writeTextFile }),
    ...commands,
  };
  return { handlers, close };
}

/** Resolves, with nothing, some time after the signal. */
function givenUp(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = (): void => void setTimeout(() => resolve(undefined), CANCEL_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
}

function silent({ name }: ServerConfig, silenceMs: number): string {
  return `${name} said nothing for ${silenceMs} ms. Give it more time: --timeout, or requestTimeoutMs in acp.json.`;
}

function explainHandshake({ name, startupTimeoutMs }: ServerConfig, cause: Error): string {
  if (cause instanceof RpcError && cause.code === -32000) {
    return `${name} wants you to sign in first: ${cause.message}. Start it by hand once, and sign in.`;
  }
  if (cause instanceof LocalError && cause.type === "timeout") {
    return `${name} did not come up in ${startupTimeoutMs} ms: ${cause.message}. Raise startupTimeoutMs in acp.json, or look at its logs.`;
  }
  return `${name} did not come up: ${cause.message}`;
}

function toFault({ name }: ServerConfig, cause: Error): TurnEvent {
  if (cause instanceof DriveFault) return { type: "fault", code: cause.code, message: cause.message };
  const code = cause instanceof LocalError && cause.type === "closed" ? "transport_disconnect" : "protocol_error";
  return { type: "fault", code, message: `${name}: ${cause.message}` };
}
