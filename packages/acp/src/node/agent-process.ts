// An agent as a child process: its pipes as a stream, its last words and exit status as the reason of the end, and its
// end in steps. Knows nothing of ACP methods.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { LocalError } from "../error/local-error.ts";
import type { Stream } from "../stream/stream.ts";
import { type NodeStreamOptions, nodeStream } from "./node-stream.ts";
import { endGroup, spawnGroup } from "./process-group.ts";

export interface AgentProcessOptions extends NodeStreamOptions {
  readonly cwd?: string | undefined;
  /** The whole environment of the agent; this process's own unless given. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long the agent may take to end by itself after its input has ended, and again after SIGTERM. */
  readonly graceMs?: number | undefined;
  /** Hears what the agent writes to stderr. Must not throw. Without it, only the last lines are kept. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const GRACE_MS = 2_000;
/** How long a broken pipe waits for the exit status that explains it. */
const EXIT_AFTER_END_MS = 500;
/** What an agent leaves behind may hold its pipes; once it has exited, they are let go of after this long in silence. */
const LINGER_MS = 250;
const MAX_LAST_WORDS = 8 * 1024;

/** Starts the agent in a process group of its own. Rejects with `spawn` when it cannot be started. */
export async function startAgentProcess(
  command: readonly string[],
  options: AgentProcessOptions = {},
): Promise<AgentProcess> {
  if (!Array.isArray(command) || typeof command[0] !== "string" || command[0] === "") {
    throw new LocalError("spawn", 'the command of an agent is a list: ["program", "argument", …]');
  }
  const [program, ...args] = command as [string, ...string[]];
  let child: ChildProcess;
  try {
    child = spawnGroup(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (cause) {
    throw spawnError(program, cause as NodeJS.ErrnoException);
  }
  await started(child, program);
  return new AgentProcess(child, program, options);
}

export class AgentProcess {
  /** Closing it closes the process: end of input, a grace, SIGTERM, another grace, SIGKILL. */
  readonly stream: Stream;
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #program: string;
  readonly #graceMs: number;
  // Resolves when nothing of the agent, nor of what it started, holds its pipes any more.
  readonly #silent: Promise<void>;
  #lastWords = "";
  #exit: ExitStatus | undefined;

  constructor(child: ChildProcess, program: string, options: AgentProcessOptions) {
    this.#child = child;
    this.#program = program;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.pid = child.pid as number;
    this.exited = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => {
        this.#exit = { exitCode, signal };
        resolve(this.#exit);
        letGoOf(child.stdout as Socket);
      });
    });
    this.#silent = new Promise((resolve) => {
      child.once("close", () => resolve());
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-MAX_LAST_WORDS);
      try {
        options.onStderr?.(text);
      } catch {
        // A listener that fails must not end the client.
      }
    });
    const pipes = nodeStream(child.stdout as Readable, child.stdin as Writable, options);
    this.stream = this.#withProcess(pipes);
  }

  /** The end of what the agent wrote to stderr. */
  get lastWords(): string {
    return this.#lastWords.trimEnd();
  }

  #withProcess(pipes: Stream): Stream {
    let closing: Promise<void> | undefined;
    return {
      open: (receiver) => pipes.open(receiver),
      send: (frame) => pipes.send(frame),
      hold: () => pipes.hold(),
      release: () => pipes.release(),
      get hasMore() {
        return pipes.hasMore;
      },
      flush: () => pipes.flush(),
      close: () => {
        closing ??= this.#end(pipes);
        return closing;
      },
      explainEnd: (cause) => this.#explain(cause),
    };
  }

  async #end(pipes: Stream): Promise<void> {
    // A peer that does not read must not keep us from ending it.
    await Promise.race([pipes.flush(), delay(this.#graceMs)]);
    this.#child.stdin?.end();
    await Promise.race([this.exited, delay(this.#graceMs)]);
    await endGroup(this.#child, { graceMs: this.#graceMs });
    await pipes.close();
  }

  async #explain(cause: Error | undefined): Promise<Error> {
    await Promise.race([this.exited, delay(EXIT_AFTER_END_MS)]);
    if (this.#exit !== undefined) await Promise.race([this.#silent, delay(LINGER_MS)]);
    const words = this.lastWords === "" ? "" : `. It last wrote:\n${this.lastWords}`;
    return new LocalError("closed", `the agent ${this.#program} ${describeExit(this.#exit)}${words}`, { cause });
  }
}

function describeExit(exit: ExitStatus | undefined): string {
  if (exit === undefined) return "closed its output";
  if (exit.signal !== null) return `was ended by ${exit.signal}`;
  return `exited with code ${exit.exitCode}`;
}

function started(child: ChildProcess, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve());
    child.once("error", (cause: NodeJS.ErrnoException) => reject(spawnError(program, cause)));
  });
}

function spawnError(program: string, cause: NodeJS.ErrnoException): LocalError {
  return new LocalError("spawn", `cannot start the agent ${program}: ${describeSpawnFailure(cause)}`, { cause });
}

/** Ends the reading of a pipe whose writer has exited, once nothing more comes. A reader that is held is waited for. */
function letGoOf(pipe: Socket): void {
  let before = -1;
  const timer = setInterval(() => {
    if (pipe.destroyed || pipe.readableEnded) clearInterval(timer);
    else if (!pipe.isPaused() && pipe.bytesRead === before) pipe.destroy();
    before = pipe.bytesRead;
  }, LINGER_MS);
  timer.unref();
}

function describeSpawnFailure(cause: NodeJS.ErrnoException): string {
  if (cause.code === "ENOENT") return "no such program, or no such working directory. Is it installed and on the PATH?";
  if (cause.code === "EACCES") return "it is not executable";
  return cause.message;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
