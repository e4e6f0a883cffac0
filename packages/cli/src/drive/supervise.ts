// Runs one agent until it is told to stop: starts it again when it dies by accident, writes down what it is doing, and lets
// other processes use it over a socket.

import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { judgeDeath } from "./death.ts";
import { DriveFault } from "./drive-fault.ts";
import { type DrivenAgent, openDrivenAgent, type TurnRequest } from "./driven-agent.ts";
import type { Place } from "./load-servers.ts";
import type { ServerConfig } from "./server-config.ts";
import { openServerLog } from "./server-log.ts";
import {
  removeSocket,
  runFolder,
  type ServerState,
  type ServerStatus,
  startTimeOf,
  writeStatus,
} from "./server-state.ts";
import type { TurnEvent } from "./turn-event.ts";

export interface SuperviseOptions {
  readonly signal: AbortSignal;
  /** Told to whoever watches. */
  readonly tell: (message: string) => void;
  readonly backOffMs?: number | undefined;
}

const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;
/** Paths of sockets are short: the system allows about a hundred bytes. */
const MAX_SOCKET_PATH = 100;

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
  readonly #socketPath: string;
  #status: ServerStatus;
  #agent: DrivenAgent | undefined;
  #diedInTurn = false;
  #restarts = 0;
  #failedHandshakes = 0;

  constructor(server: ServerConfig, place: Place, options: SuperviseOptions) {
    this.#server = server;
    this.#place = place;
    this.#options = options;
    this.#socketPath = socketPath(place.cwd, server.name);
    const since = new Date().toISOString();
    const { pid } = process;
    this.#status = { name: server.name, state: "starting", pid, startedAt: startTimeOf(pid), since, restarts: 0 };
  }

  async run(): Promise<DriveFault | undefined> {
    const listening = await this.#listen();
    const log = openServerLog(this.#place.cwd, this.#server.name);
    let fault: DriveFault | undefined;
    try {
      fault = await this.#keepRunning((text) => log.write(text));
    } finally {
      listening?.close();
      if (listening !== undefined) removeSocket(this.#socketPath);
      log.end();
      this.#set(fault === undefined ? "stopped" : "failed", { agentPid: undefined, socket: undefined });
    }
    return fault;
  }

  async #keepRunning(onStderr: (text: string) => void): Promise<DriveFault | undefined> {
    const { signal, tell } = this.#options;
    while (!signal.aborted) {
      const fault = await this.#runOnce(onStderr);
      if (signal.aborted || fault === undefined) return undefined;
      this.#remember(fault.fault);
      if (fault.verdict === "fatal") return fault.fault;
      this.#restarts++;
      const waitMs = Math.min((this.#options.backOffMs ?? BACK_OFF_MS) * 2 ** (this.#restarts - 1), MAX_BACK_OFF_MS);
      tell(`${fault.fault.message}\nStarting it again in ${waitMs} ms (restart ${this.#restarts}).`);
      await pause(waitMs, signal);
    }
    return undefined;
  }

  /** From start to death. Nothing when it was told to stop. */
  async #runOnce(
    onStderr: (text: string) => void,
  ): Promise<{ fault: DriveFault; verdict: "recoverable" | "fatal" } | undefined> {
    const { signal, tell } = this.#options;
    this.#set("starting");
    const onStarted = (agentPid: number): void => this.#set("initializing", { agentPid });
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
    this.#set("ready", { agentPid: agent.pid });
    tell(`${this.#server.name} is ready (pid ${agent.pid}).`);
    const ended = await Promise.race([agent.closed, aborted(signal)]);
    this.#diedInTurn ||= agent.isBusy;
    this.#agent = undefined;
    if (ended === undefined) this.#set("stopping");
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

  // ---- what others ask ----

  async #listen(): Promise<Server | undefined> {
    removeSocket(this.#socketPath);
    const server = createServer((socket) => void this.#serve(socket));
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(this.#socketPath, resolve);
      });
    } catch (cause) {
      this.#options.tell(`Other processes cannot use this one: ${(cause as Error).message}`);
      return undefined;
    }
    this.#status = { ...this.#status, socket: this.#socketPath };
    return server;
  }

  /** One request on each connection. Whoever goes away cancels its turn. */
  async #serve(socket: Socket): Promise<void> {
    const gone = new AbortController();
    socket.on("error", () => gone.abort());
    socket.on("close", () => gone.abort());
    const tell = (event: TurnEvent): void => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(event)}\n`);
    };
    createInterface({ input: socket }).on("line", (line) => {
      const request = parseRequest(line);
      if (request === "cancel") gone.abort();
      else if (request === undefined) socket.destroy();
      else void this.#take(request, tell, gone.signal).then(() => socket.end());
    });
  }

  async #take(request: TurnRequest, tell: (event: TurnEvent) => void, signal: AbortSignal): Promise<void> {
    const agent = this.#agent;
    if (agent === undefined) {
      const message = `${this.#server.name} is ${this.#status.state}. Try again in a moment.`;
      tell({ type: "fault", code: "server_busy", message });
      return;
    }
    const isMine = !agent.isBusy;
    if (isMine) this.#set("busy");
    const watch = (event: TurnEvent): void => {
      if (isMine && event.type === "end") this.#restarts = 0;
      if (isMine && event.type === "fault") {
        this.#diedInTurn ||= event.code === "transport_disconnect";
        this.#remember(new DriveFault(event.code, event.message));
      }
      tell(event);
    };
    await agent.takeTurn(request, watch, signal);
    if (isMine && this.#agent === agent) this.#set("ready");
  }

  // ---- what is written down ----

  #set(state: ServerState, more: Partial<ServerStatus> = {}): void {
    this.#status = { ...this.#status, ...more, state, since: new Date().toISOString(), restarts: this.#restarts };
    try {
      writeStatus(this.#place.cwd, this.#status);
    } catch (cause) {
      this.#options.tell(`Cannot write down the state: ${(cause as Error).message}`);
    }
  }

  /** Being busy is no state of the agent that anybody would look for afterwards. */
  #remember({ code, message }: DriveFault): void {
    if (code === "server_busy" || code === "server_not_found") return;
    this.#status = { ...this.#status, lastError: { code, message, at: new Date().toISOString() } };
  }
}

function socketPath(cwd: string, name: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\agentao-${randomBytes(8).toString("hex")}`;
  const folder = runFolder(cwd);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  const elsewhere = join(tmpdir(), `agentao-${randomBytes(8).toString("hex")}`);
  mkdirSync(elsewhere, { mode: 0o700 });
  return join(elsewhere, "s");
}

function parseRequest(line: string): TurnRequest | "cancel" | undefined {
  try {
    const { type, text, policy, timeoutMs } = JSON.parse(line) as Partial<TurnRequest> & { type?: string };
    if (type === "cancel") return "cancel";
    if (type !== "prompt" || typeof text !== "string") return undefined;
    return {
      text,
      ...((policy === "accept_all" || policy === "reject_all") && { policy }),
      ...(typeof timeoutMs === "number" && { timeoutMs }),
    };
  } catch {
    return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
