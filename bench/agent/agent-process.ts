// An agent under test, and the thinnest client that can drive it: updates are counted, not parsed, so that what is
// measured is the agent. Whoever starts one ends it; `killAgents` ends the rest, whatever happened.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { isAlive } from "./proc.ts";

/** No wait takes a tenth of this, even on a busy machine. */
const DEADLINE_MS = 60_000;
const MAX_LAST_WORDS = 4_000;
const UPDATE = '{"jsonrpc":"2.0","method":"session/update"';

export interface AgentRequest {
  readonly id: number | string;
  readonly method: string;
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: scenarios check what they read
  readonly result: any;
  /** When its line came. */
  readonly at: number;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(cause: Error): void;
}

interface Watch {
  readonly mark: string;
  readonly resolve: (at: number) => void;
  readonly reject: (cause: Error) => void;
}

const alive = new Set<AgentProcess>();

export class AgentProcess {
  readonly pid: number;
  readonly startedAt = performance.now();
  /** Resolves with the moment of its exit. */
  readonly exited: Promise<number>;
  /** `agent_message_chunk` updates so far. */
  chunks = 0;
  /** Their lines, where somebody wants to read them. */
  kept: string[] | undefined;
  readBytes = 0;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #decoder = new StringDecoder("utf8");
  readonly #deadline: NodeJS.Timeout;
  readonly #waiting = new Map<number, Waiting>();
  readonly #also = new Set<number>();
  #watches: Watch[] = [];
  #requests: AgentRequest[] = [];
  #rest = "";
  #lastWords = "";
  #failure: Error | undefined;
  #nextId = 0;

  constructor(args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...inherited } = process.env;
    this.#process = spawn(process.execPath, args, { cwd, env: { ...inherited, ...env } });
    this.pid = this.#process.pid ?? 0;
    alive.add(this);
    this.exited = new Promise((resolve) => {
      this.#process.once("exit", () => resolve(performance.now())).once("error", () => resolve(performance.now()));
    });
    this.#deadline = setTimeout(() => this.#fail(`took longer than ${DEADLINE_MS} ms`), DEADLINE_MS);
    this.#process.once("error", (cause) => this.#fail(cause.message));
    this.#process.once("close", (code, signal) => this.#fail(`ended with ${signal ?? code}`));
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-MAX_LAST_WORDS);
    });
    this.#process.stdout.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  request(method: string, params: object): Promise<Answer> {
    return this.send([{ method, params, isRequest: true }])[0] as Promise<Answer>;
  }

  /** Several frames in one write. Promises for those that are requests, in order. */
  send(frames: readonly { method: string; params: object; isRequest: boolean }[]): Promise<Answer>[] {
    const answers: Promise<Answer>[] = [];
    const lines = frames.map(({ method, params, isRequest }) => {
      if (!isRequest) return JSON.stringify({ jsonrpc: "2.0", method, params });
      const id = this.#nextId++;
      answers.push(new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject })));
      return JSON.stringify({ jsonrpc: "2.0", id, method, params });
    });
    for (const answer of answers) answer.catch(() => {});
    if (this.#failure !== undefined) this.#rejectAll();
    this.#process.stdin.write(`${lines.join("\n")}\n`);
    return answers;
  }

  reply(id: number | string, result: object): void {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  }

  /** The moment when the next line with this text in it comes. */
  next(mark: string): Promise<number> {
    const seen = new Promise<number>((resolve, reject) => this.#watches.push({ mark, resolve, reject }));
    seen.catch(() => {});
    if (this.#failure !== undefined) this.#rejectAll();
    return seen;
  }

  /** The next request of the agent by this method; it is answered by whoever asked for it, or by nobody. */
  async asked(method: string): Promise<AgentRequest> {
    const mark = `"method":"${method}"`;
    if (!this.#requests.some((request) => request.method === method)) await this.next(mark);
    const at = this.#requests.findIndex((request) => request.method === method);
    return this.#requests.splice(at, 1)[0] as AgentRequest;
  }

  /** Makes a process end with this one: a command that the agent has started. */
  adopt(pids: readonly number[]): void {
    for (const pid of pids) this.#also.add(pid);
  }

  closeInput(): void {
    this.#process.stdin.end();
  }

  /** Ends it by closing its input, so that it writes its profile, and by force if that does not help. */
  async end(): Promise<void> {
    this.closeInput();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, 2_000);
    });
    await Promise.race([this.exited, late]);
    clearTimeout(timer);
    this.kill();
    await this.exited;
    clearTimeout(this.#deadline);
    alive.delete(this);
  }

  kill(): void {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill("SIGKILL");
    for (const pid of this.#also) if (pid > 1 && isAlive(pid)) process.kill(pid, "SIGKILL");
  }

  #read(bytes: Buffer): void {
    const at = performance.now();
    this.readBytes += bytes.length;
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line, at);
  }

  #take(line: string, at: number): void {
    if (line.startsWith(UPDATE)) {
      if (line.includes('"agent_message_chunk"')) {
        this.chunks++;
        this.kept?.push(line);
      }
    } else this.#takeFrame(line, at);
    if (this.#watches.length === 0) return;
    for (const watch of this.#watches) if (line.includes(watch.mark)) watch.resolve(at);
    this.#watches = this.#watches.filter(({ mark }) => !line.includes(mark));
  }

  #takeFrame(line: string, at: number): void {
    const frame = parse(line);
    if (frame === undefined) {
      this.#fail(`wrote what is not JSON: ${line.slice(0, 200)}`);
      return;
    }
    if (frame.method !== undefined) {
      if (frame.id !== undefined) this.#requests.push({ id: frame.id, method: frame.method });
      return;
    }
    const waiting = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    if (frame.error === undefined) waiting?.resolve({ result: frame.result, at });
    else waiting?.reject(new RefusedError(frame.error, at));
  }

  #fail(problem: string): void {
    const words = this.#lastWords.trim();
    this.#failure ??= new Error(`the agent ${problem}${words === "" ? "" : `. It last wrote:\n${words}`}`);
    this.kill();
    this.#rejectAll();
  }

  #rejectAll(): void {
    const cause = this.#failure as Error;
    for (const { reject } of this.#waiting.values()) reject(cause);
    for (const { reject } of this.#watches) reject(cause);
    this.#waiting.clear();
    this.#watches = [];
  }
}

/** An error the agent answered with. */
export class RefusedError extends Error {
  readonly at: number;

  constructor(error: { code: number; message: string }, at: number) {
    super(`the agent answered with ${error.code}: ${error.message}`);
    this.at = at;
  }
}

/** Ends every agent at once. For when the driver itself ends. */
export function killAgents(): void {
  for (const agent of alive) agent.kill();
}

// biome-ignore lint/suspicious/noExplicitAny: any frame
function parse(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
