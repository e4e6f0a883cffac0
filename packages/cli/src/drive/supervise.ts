// Runs one agent until it is told to stop: starts it again when it dies by accident, writes down what it is doing, and lets
// other processes use it over a socket.

import { setTimeout } from "node:timers/promises";
import { messageOf } from "../text/message-of.ts";
import { judgeDeath } from "./death.ts";
import { DriveFault } from "./drive-fault.ts";
import { type DrivenAgent, openDrivenAgent } from "./driven-agent.ts";
import type { Place } from "./load-servers.ts";
import type { ServerConfig } from "./server-config.ts";
import { openServerLog } from "./server-log.ts";
import { makeRunFolder } from "./server-state.ts";
import { keepStatus, type StatusKeeper } from "./status-keeper.ts";
import type { TurnEvent } from "./turn-event.ts";
import { listenForTurns, type TurnSocket, type TurnSocketHandlers, turnSocketPath } from "./turn-socket.ts";
import { untilAborted } from "./until-aborted.ts";

export interface SuperviseOptions {
  readonly signal: AbortSignal;
  /** Told to whoever watches. */
  readonly tell: (message: string) => void;
  readonly backOffMs?: number | undefined;
}

const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;

/** Resolves with the fault that ended it; nothing when it was told to stop. */
export async function supervise(
  server: ServerConfig,
  place: Place,
  options: SuperviseOptions,
): Promise<DriveFault | undefined> {
  return new Supervisor(server, place, options).run();
}

class Supervisor {
  readonly #server: ServerConfig;
  readonly #place: Place;
  readonly #options: SuperviseOptions;
  readonly #status: StatusKeeper;
  readonly #stopping = new AbortController();
  /** Either way of being told to stop. */
  readonly #signal: AbortSignal;
  #agent: DrivenAgent | undefined;
  #diedInTurn = false;
  #restarts = 0;
  #failedHandshakes = 0;

  constructor(server: ServerConfig, place: Place, options: SuperviseOptions) {
    this.#server = server;
    this.#place = place;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#status = keepStatus(place.cwd, server.name, options.tell);
  }

  async run(): Promise<DriveFault | undefined> {
    const { name } = this.#server;
    const socket = await this.#listen();
    if (socket === "taken")
      return new DriveFault("server_busy", `${name} runs already. End it: agentao acp stop ${name}`);
    const log = openServerLog(this.#place.cwd, name);
    let fault: DriveFault | undefined;
    try {
      fault = await this.#keepRunning((text) => log.write(text));
    } finally {
      log.end();
      // Before anybody is told that it is over: whoever reads that may start it again at once.
      socket?.close();
      this.#status.set(fault === undefined ? "stopped" : "failed", { agentPid: undefined, socket: undefined });
    }
    return fault;
  }

  /** Without a socket it still runs, though nobody else can use it. */
  async #listen(): Promise<TurnSocket | "taken" | undefined> {
    const { cwd } = this.#place;
    const path = turnSocketPath(cwd, this.#server.name);
    try {
      makeRunFolder(cwd);
      const socket = await listenForTurns(path, { take: this.#take, stop: () => this.#stopping.abort() });
      if (socket !== "taken") this.#status.set("starting", { socket: path });
      return socket;
    } catch (cause) {
      this.#options.tell(`Other processes cannot use this one: ${messageOf(cause)}`);
      return undefined;
    }
  }

  async #keepRunning(onStderr: (text: string) => void): Promise<DriveFault | undefined> {
    const { tell } = this.#options;
    const signal = this.#signal;
    while (!signal.aborted) {
      const death = await this.#runOnce(onStderr);
      if (signal.aborted || death === undefined) return undefined;
      this.#status.remember(death.fault);
      if (death.verdict === "fatal") return death.fault;
      this.#restarts++;
      const waitMs = Math.min((this.#options.backOffMs ?? BACK_OFF_MS) * 2 ** (this.#restarts - 1), MAX_BACK_OFF_MS);
      tell(`${death.fault.message}\nStarting it again in ${waitMs} ms (restart ${this.#restarts}).`);
      await setTimeout(waitMs, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  /** From start to death. Nothing when it was told to stop. */
  async #runOnce(
    onStderr: (text: string) => void,
  ): Promise<{ fault: DriveFault; verdict: "recoverable" | "fatal" } | undefined> {
    const { tell } = this.#options;
    const signal = this.#signal;
    this.#status.set("starting", { agentPid: undefined, restarts: this.#restarts });
    const onStarted = (agentPid: number): void => this.#status.set("initializing", { agentPid });
    let agent: DrivenAgent;
    try {
      agent = await openDrivenAgent(this.#server, this.#place, { onStderr, onStarted, signal });
    } catch (cause) {
      if (!(cause instanceof DriveFault)) throw cause;
      const isFixed = cause.code === "config_invalid" || cause.code === "process_start_fail";
      this.#failedHandshakes++;
      return { fault: cause, verdict: isFixed ? "fatal" : this.#judge(null, null) };
    }
    this.#failedHandshakes = 0;
    this.#agent = agent;
    this.#diedInTurn = false;
    this.#status.set("ready");
    tell(`${this.#server.name} is ready (pid ${agent.pid}), and runs until Ctrl-C.`);
    const ended = await Promise.race([agent.closed, untilAborted(signal)]);
    this.#diedInTurn ||= agent.isBusy;
    this.#agent = undefined;
    if (ended === undefined) this.#status.set("stopping");
    await agent.close();
    if (ended === undefined) return undefined;
    const { exitCode, signal: killedBy } = await agent.exited;
    const fault = new DriveFault("transport_disconnect", `${this.#server.name}: ${ended.message}`);
    return { fault, verdict: this.#judge(exitCode, killedBy) };
  }

  #judge(exitCode: number | null, signal: string | null): "recoverable" | "fatal" {
    return judgeDeath({
      exitCode,
      signal,
      duringTurn: this.#diedInTurn,
      restarts: this.#restarts,
      maxRestarts: this.#server.maxRecoverableRestarts,
      failedHandshakes: this.#failedHandshakes,
    });
  }

  readonly #take: TurnSocketHandlers["take"] = async (request, tell, signal) => {
    const agent = this.#agent;
    if (agent === undefined) {
      const message = `${this.#server.name} is ${this.#status.state}. Try again in a moment.`;
      await tell({ type: "fault", code: "server_busy", message });
      return;
    }
    if (agent.isBusy) return agent.takeTurn(request, tell, signal);
    this.#status.set("busy");
    const watch = (event: TurnEvent): void | Promise<void> => {
      if (event.type === "end") this.#restarts = 0;
      if (event.type === "fault") {
        this.#diedInTurn ||= event.code === "transport_disconnect";
        this.#status.remember(event);
      }
      return tell(event);
    };
    await agent.takeTurn(request, watch, signal);
    if (this.#agent === agent) this.#status.set("ready", { restarts: this.#restarts });
  };
}
