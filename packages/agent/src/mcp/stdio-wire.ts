// A server as a child of ours: lines of JSON on its stdin and stdout, whatever else it says in the log. It has a process
// group of its own, which ends with the wire, and with us when we are killed.

import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { parseJson } from "../json/parse-json.ts";
import { askToEnd, groupGone, killGroup, type ProcessGroup } from "../machine/process-group.ts";
import { createMarks, type Mark } from "../machine/stray.ts";
import type { Watchdog } from "../machine/watchdog.ts";
import { childEnv } from "./child-env.ts";
import { Failure } from "./failure.ts";
import { findCommand } from "./find-command.ts";
import { createLineReader } from "./line-reader.ts";
import type { ServerTransport } from "./server.ts";
import { isWireMessage, NotSent, type Wire } from "./wire.ts";

export interface StdioRoom {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watchdog: Watchdog;
  /** What it says that is no message, line by line; not bounded and not redacted yet. */
  log(line: string): void;
}

type StdioTransport = Extract<ServerTransport, { readonly type: "stdio" }>;

export interface StdioWire extends Wire {
  /** How it ended by itself, with the last it said; nothing while it runs. */
  death(): string | undefined;
}

const WINDOWS = process.platform === "win32";
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const MAX_LOG_LINE_BYTES = 64 * 1024;
/** A server that does not read is not fed for ever. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** After the end of its input, after SIGTERM, and after SIGKILL: together less than a second. */
const EOF_MS = 350;
const TERM_MS = 350;
const KILL_MS = 200;
/** For what it wrote just before it ended. */
const DRAIN_MS = 100;
const LAST_WORDS = 3;

// The leader of the group waits for a line before it becomes the server; when we die instead, it ends.
const GATE = 'read -r go <&3 && exec "$@" 3<&-';

export function createStdioWire(transport: StdioTransport, room: StdioRoom): StdioWire {
  let child: ChildProcess | undefined;
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isOver = false;
  let lastWords: string[] = [];

  const hear = (line: string): void => {
    if (line.trim() === "") return;
    lastWords = [...lastWords, line.trim()].slice(-LAST_WORDS);
    room.log(line);
  };

  const marks = createMarks();
  const start = async (): Promise<void> => {
    const begun = await startServer(transport, room, marks.next());
    child = begun;
    readLog(begun.stderr as Readable, hear);
    readMessages(begun.stdout as Readable, wire, hear);
    // A broken pipe is told by the end of the process.
    begun.stdin?.on("error", () => {});
    whenOver(begun, () => {
      isOver = closing === undefined;
      void wire.close();
    });
  };
  const close = async (): Promise<void> => {
    await starting?.catch(() => {});
    if (child !== undefined) await endServer(child, room.watchdog);
    marks.endAll();
    wire.onclose?.();
  };

  const wire: StdioWire = {
    start() {
      starting ??= start();
      return starting;
    },
    send(message) {
      const stdin = child?.stdin;
      if (stdin == null || closing !== undefined || !stdin.writable) {
        return Promise.reject(new NotSent("it has ended"));
      }
      if (stdin.writableLength > MAX_UNREAD_BYTES)
        return Promise.reject(new NotSent("it does not read what it is sent"));
      return write(stdin, `${JSON.stringify(message)}\n`);
    },
    close() {
      closing ??= close();
      return closing;
    },
    death() {
      if (!isOver || child === undefined) return undefined;
      const how = child.signalCode === null ? `exited with code ${child.exitCode}` : `was ended by ${child.signalCode}`;
      return lastWords.length === 0 ? how : `${how}: ${lastWords.join(" / ")}`;
    },
  };
  return wire;
}

async function startServer(transport: StdioTransport, room: StdioRoom, mark: Mark): Promise<ChildProcess> {
  const cwd = transport.cwd ?? room.cwd;
  if ((await stat(cwd).catch(() => undefined))?.isDirectory() !== true) {
    throw new Failure("refused", `there is no folder ${cwd} to start it in`);
  }
  const env = { ...childEnv(room.env, transport.env), ...mark.env };
  const command = await findCommand(transport.command, cwd, env);
  if (WINDOWS) return started(spawn(command, transport.args, { cwd, env, windowsHide: true }));
  const child = await started(
    spawn("/bin/sh", ["-c", GATE, "sh", command, ...transport.args], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    }),
  );
  room.watchdog.hold(child.pid as number);
  const gate = child.stdio[3] as Writable;
  gate.on("error", () => {});
  gate.end("\n", () => gate.destroy());
  return child;
}

function started(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.on("error", ({ message }) => reject(new Failure("refused", `it cannot be started: ${message}`)));
  });
}

function write(stdin: Writable, line: string): Promise<void> {
  return new Promise((resolve) => {
    // One that ends while it is written to is told by its end: whether it had read it, nobody knows.
    stdin.write(line, () => resolve());
  });
}

function readMessages(stdout: Readable, wire: Wire, hear: (line: string) => void): void {
  const deliver = (value: unknown, line: string): void => {
    if (isWireMessage(value)) wire.onmessage?.(value);
    else hear(line);
  };
  const reader = createLineReader(
    {
      line(line) {
        if (line.trim() === "") return;
        const value = parseJson(line);
        // Some versions of the protocol know batches.
        if (Array.isArray(value)) for (const one of value) deliver(one, line);
        else deliver(value, line);
      },
      tooLong: (maxBytes) => hear(`(a line of more than ${maxBytes / 1024 / 1024} MB was passed over)`),
    },
    MAX_LINE_BYTES,
  );
  stdout.on("data", (chunk: Buffer) => reader.read(chunk));
  stdout.on("error", () => {});
}

function readLog(stderr: Readable, hear: (line: string) => void): void {
  const reader = createLineReader({ line: hear, tooLong: () => hear("(a very long line)") }, MAX_LOG_LINE_BYTES);
  stderr.on("data", (chunk: Buffer) => reader.read(chunk));
  stderr.once("end", () => reader.end());
  stderr.on("error", () => {});
}

/** Once: when it has exited and what it wrote is read, or when it closes its stdout. */
function whenOver(child: ChildProcess, over: () => void): void {
  let isTold = false;
  const tell = (): void => {
    if (isTold) return;
    isTold = true;
    clearTimeout(drained);
    over();
  };
  let drained: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    drained = setTimeout(tell, DRAIN_MS);
  });
  child.once("close", tell);
  child.stdout?.once("end", () => {
    drained ??= setTimeout(tell, DRAIN_MS);
  });
}

/** Everybody in the group is asked, then told, then killed. */
async function endServer(child: ChildProcess, watchdog: Watchdog): Promise<void> {
  const group: ProcessGroup = { leader: child };
  const gone = (ms: number): Promise<boolean> => groupGone(group, performance.now() + ms);
  child.stdin?.end();
  if (!(await gone(EOF_MS))) {
    askToEnd(group);
    if (!(await gone(TERM_MS))) {
      killGroup(group);
      await gone(KILL_MS);
    }
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  if (child.pid !== undefined) watchdog.free(child.pid);
}
