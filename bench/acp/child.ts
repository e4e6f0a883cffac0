// Processes under test. Each has a deadline, and none outlives the driver: whoever starts one ends it, and
// `killChildren` ends the rest, whatever happened.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** No run takes a tenth of this, even on a busy machine. */
const DEADLINE_MS = 60_000;
const MAX_LAST_WORDS = 4_000;

const alive = new Set<Child>();

/** A Node process that speaks in lines. */
export class Child {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #what: string;
  readonly #exited: Promise<unknown>;
  readonly #deadline: NodeJS.Timeout;
  readonly #lines: string[] = [];
  #rest = "";
  #lastWords = "";
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #grandchild: number | undefined;

  /** Starts `node` with these arguments. */
  constructor(args: readonly string[], cwd: string) {
    this.#what = args.find((arg) => arg.includes(cwd)) ?? "node";
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env;
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#process = child;
    this.pid = child.pid ?? 0;
    this.#deadline = setTimeout(() => this.#fail(`took longer than ${DEADLINE_MS} ms`), DEADLINE_MS);
    this.#exited = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
    child.once("error", (cause) => this.#fail(cause.message));
    child.once("close", (code, signal) => this.#fail(`ended with ${signal ?? code}`));
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-MAX_LAST_WORDS);
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    alive.add(this);
  }

  write(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  /** The next line it prints. Rejects if there is none because it ended, or took too long. */
  async line(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Makes a process that this one has started end with it. */
  adopt(pid: number): void {
    // To kill 0 would be to kill ourselves.
    if (pid > 0) this.#grandchild = pid;
  }

  /** Its run time so far in nanoseconds, all threads, as the scheduler counts it. */
  cpuNs(): number {
    const threads = `/proc/${this.pid}/task`;
    return readdirSync(threads).reduce((sum, thread) => sum + runTimeNs(`${threads}/${thread}`), 0);
  }

  /** Resolves when it has ended by itself, and by then whatever it had started. */
  async finish(): Promise<void> {
    await this.#exited;
    if (this.#process.exitCode !== 0) throw this.#failure ?? new Error(`${this.#what} failed`);
    this.#grandchild = undefined;
    await this.end();
  }

  /** Ends it, and resolves when it is gone. */
  async end(): Promise<void> {
    this.kill();
    await this.#exited;
    clearTimeout(this.#deadline);
    alive.delete(this);
  }

  /** Asks it to end by closing its input, and resolves when it is gone. Lets it write its profile. */
  async endGently(): Promise<void> {
    this.#process.stdin?.end();
    await Promise.race([this.#exited, once(AbortSignal.timeout(2_000), "abort")]);
    await this.end();
  }

  kill(): void {
    if (this.#grandchild !== undefined) kill(this.#grandchild);
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill("SIGKILL");
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    this.#lines.push(...lines);
    if (lines.length > 0) this.#wake?.();
  }

  #fail(problem: string): void {
    const words = this.#lastWords.trim();
    this.#failure ??= new Error(`${this.#what} ${problem}${words === "" ? "" : `. It last wrote:\n${words}`}`);
    this.kill();
    this.#wake?.();
  }
}

/** Ends every process at once. For when the driver itself ends. */
export function killChildren(): void {
  for (const child of alive) child.kill();
}

function runTimeNs(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  } catch {
    // The thread has ended since the directory was read.
    return 0;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
