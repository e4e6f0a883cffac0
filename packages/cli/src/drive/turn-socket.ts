// Where a supervisor takes turns from other processes: a socket that only this person can open. Whoever has it is the
// supervisor of that name: it is bound or found taken in one step, so that of two that start at once only one goes on.

import { createHash } from "node:crypto";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { untilWritable } from "../io/until-writable.ts";
import { fieldOf } from "../json/fields.ts";
import type { TurnRequest } from "./driven-agent.ts";
import { runFolder } from "./server-state.ts";
import type { Tell } from "./turn-event.ts";

export interface TurnSocket {
  close(): void;
}

export interface TurnSocketHandlers {
  /** Takes one turn. Its last event is `end` or `fault`; the signal fires when whoever asked has gone away. */
  take(request: TurnRequest, tell: Tell, signal: AbortSignal): Promise<void>;
  /** Ends the agent, and the supervisor with it. */
  stop(): void;
}

const WINDOWS = process.platform === "win32";

export function turnSocketPath(cwd: string, name: string): string {
  const path = join(runFolder(cwd), `${name}.sock`);
  if (!WINDOWS) return path;
  return `\\\\.\\pipe\\agentao-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
}

/** The same place in fewer letters: the system takes about a hundred for the path of a socket. */
export function toReachable(path: string): string {
  const near = relative(process.cwd(), path);
  return WINDOWS || path.length <= near.length ? path : near;
}

/** Answers "taken" when another supervisor listens there. Rejects when there can be no socket at that place. */
export async function listenForTurns(path: string, handlers: TurnSocketHandlers): Promise<TurnSocket | "taken"> {
  const server = createServer((socket) => serve(socket, handlers));
  while (!(await isBound(server, path))) {
    if (!(await clearAway(path))) return "taken";
  }
  if (!WINDOWS) chmodSync(path, 0o600);
  server.on("error", () => {});
  return { close: () => void server.close() };
}

/** False when there is something at that place. */
function isBound(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException): void => {
      if (cause.code === "EADDRINUSE") resolve(false);
      else reject(cause);
    };
    server.once("error", failed);
    server.listen(toReachable(path), () => {
      server.off("error", failed);
      resolve(true);
    });
  });
}

/**
 * Removes a socket nobody listens at any more; false when somebody does. It is put aside first and looked at again, since
 * another one may have been made in its place meanwhile.
 */
async function clearAway(path: string): Promise<boolean> {
  if (WINDOWS || (await isAnswered(path))) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (cause) {
    if (fieldOf(cause, "code") === "ENOENT") return true;
    throw cause;
  }
  if (await isAnswered(aside)) {
    renameSync(aside, path);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}

/** What is answered where nobody listens. Somebody else's socket, which we may not use, is not among them. */
const NOBODY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOENT", "ENOTSOCK"]);

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(toReachable(path));
    const done = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => done(true));
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => done(!NOBODY.has(code)));
  });
}

/** One turn on each connection. Whoever goes away cancels it. */
function serve(socket: Socket, { take, stop }: TurnSocketHandlers): void {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.on("error", leave).on("close", leave);
  const tell: Tell = (event) => {
    if (socket.destroyed || socket.write(`${JSON.stringify(event)}\n`)) return undefined;
    return untilWritable(socket);
  };
  const lines = createInterface({ input: socket });
  // The socket's own listener has seen it.
  lines.on("error", () => {});
  lines.on("line", (line) => {
    const request = parseRequest(line);
    if (request === "cancel") leave();
    else if (request === "stop") stop();
    else if (request === undefined) socket.destroy();
    else void take(request, tell, gone.signal).then(() => socket.end());
  });
}

function parseRequest(line: string): TurnRequest | "cancel" | "stop" | undefined {
  try {
    const { type, text, policy, timeoutMs } = JSON.parse(line) as Partial<TurnRequest> & { type?: string };
    if (type === "cancel" || type === "stop") return type;
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
