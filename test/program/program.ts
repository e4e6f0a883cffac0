// The built program as a child process, driven by bare pipes: what it says, what it starts, and how it ends.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onCleanUp, temporaryFolder } from "../process/clean-up.ts";
import { descendantsOf, isRunning, kill, type ProcessMark } from "../process/process-mark.ts";
import { PATIENCE_MS } from "../process/until.ts";
import { mainFile } from "./built.ts";
import { type Frame, type Heard, parseFrame, RpcFailure } from "./frame.ts";

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The whole environment, with nothing of ours. */
  readonly onlyEnv?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** AGENTAO_HOME; one of its own unless given. */
  readonly home?: string;
  /** Put before the program, such as `bash -c 'ulimit …; exec "$@"' sh`. */
  readonly through?: readonly string[];
  readonly onFrame?: (frame: Frame) => void;
}

export function start(options: ProgramOptions = {}): Program {
  const program = new Program(options);
  onCleanUp(() => program.destroy());
  return program;
}

/** Started, and past the handshake. */
export async function startReady(options: ProgramOptions = {}): Promise<Program> {
  const program = start(options);
  await program.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  return program;
}

export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly home: string;
  readonly heard: Heard[] = [];
  /** Lines of stdout that are no JSON object. */
  readonly strayLines: string[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** It has exited, and everything it said has been read. */
  readonly closed: Promise<void>;
  /** Every process that was a child of this one when somebody looked. */
  readonly everSeen: ProcessMark[] = [];
  stdout = "";
  stderr = "";
  readonly #waiting = new Set<() => void>();
  readonly #onFrame: ((frame: Frame) => void) | undefined;
  #lastId = 0;
  #rest = "";
  #over = false;

  constructor({ args = ["--acp", "--stdio"], env = {}, onlyEnv, cwd, home, through = [], onFrame }: ProgramOptions) {
    this.home = home ?? temporaryFolder();
    this.#onFrame = onFrame;
    const [command = "", ...rest] = [...through, process.execPath, mainFile, ...args];
    this.child = spawn(command, rest, {
      cwd,
      // What a killed one leaves in its temporary folder goes with ours.
      env: onlyEnv ?? { ...process.env, AGENTAO_HOME: this.home, TMPDIR: temporaryFolder(), ...env },
      stdio: "pipe",
    });
    this.child.stdin.on("error", () => {});
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.closed = new Promise((resolve) => {
      this.child.once("close", () => resolve());
    });
    this.exited = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => {
        this.#over = true;
        resolve({ code, signal });
        this.#wake();
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Rejects with an `RpcFailure` for an error, and when the program ends first. */
  // biome-ignore lint/suspicious/noExplicitAny: as in `Frame`.
  async request(method: string, params: object = {}): Promise<any> {
    const id = this.send(method, params);
    const { error, result } = await this.frame((frame) => frame.id === id && frame.method === undefined, method);
    if (error !== undefined) throw new RpcFailure(error);
    return result;
  }

  send(method: string, params: object = {}): number {
    const id = ++this.#lastId;
    this.write({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  write(frame: object): void {
    this.child.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  async open(cwd: string, { modeId }: { readonly modeId?: string } = {}): Promise<string> {
    const { sessionId } = await this.request("session/new", { cwd, mcpServers: [] });
    if (modeId !== undefined) await this.request("session/set_mode", { sessionId, modeId });
    return sessionId;
  }

  prompt(sessionId: string, text: string): Promise<{ readonly stopReason: string }> {
    return this.request("session/prompt", toPrompt(sessionId, text));
  }

  /** The first frame that fits, also one that came before. */
  async frame(fits: (frame: Frame) => boolean, what = "a frame"): Promise<Frame> {
    let next = 0;
    for (const deadline = performance.now() + PATIENCE_MS; ; ) {
      for (; next < this.heard.length; next++) {
        const { frame } = this.heard[next] as Heard;
        if (fits(frame)) return frame;
      }
      if (this.#over && this.child.stdout.closed) throw new Error(`the program ended before ${what}; ${this.stderr}`);
      if (performance.now() > deadline) throw new Error(`no ${what} in time; stderr: ${this.stderr}`);
      await this.#news();
    }
  }

  update(sessionId: string, fits: (update: Frame["params"]["update"]) => boolean, what = "update"): Promise<Frame> {
    return this.frame(
      ({ method, params }) => method === "session/update" && params.sessionId === sessionId && fits(params.update),
      what,
    );
  }

  /** Kind `session/update` only, in order. */
  updates(sessionId: string): Frame["params"]["update"][] {
    return this.heard
      .filter(({ frame }) => frame.method === "session/update" && frame.params.sessionId === sessionId)
      .map(({ frame }) => frame.params.update);
  }

  textOf(sessionId: string): string {
    return this.updates(sessionId)
      .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      .map(({ content }) => content.text)
      .join("");
  }

  /** What it has started and what that has started, as of now. */
  descendants(): ProcessMark[] {
    const found = descendantsOf(this.pid);
    this.everSeen.push(...found);
    return found;
  }

  /** How it ended, and how long that took from now. Fails when it does not end. */
  async ending(
    withinMs = PATIENCE_MS,
  ): Promise<{ readonly code: number | null; readonly signal: string | null; readonly tookMs: number }> {
    const begun = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the program does not end; stderr: ${this.stderr}`)), withinMs);
    });
    try {
      return { ...(await Promise.race([this.exited, late])), tookMs: performance.now() - begun };
    } finally {
      clearTimeout(timer);
    }
  }

  /** End of input, and then the end of the program. */
  end() {
    this.child.stdin.end();
    return this.ending();
  }

  /** With everything it has started that somebody has seen. */
  destroy(): void {
    for (const mark of this.everSeen) if (isRunning(mark)) kill(mark.pid);
    this.child.kill("SIGKILL");
  }

  kill() {
    this.child.kill("SIGKILL");
    return this.ending();
  }

  #hear(text: string): void {
    const atMs = performance.now();
    this.stdout += text;
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame = parseFrame(line);
      if (frame === undefined) this.strayLines.push(line);
      else {
        this.heard.push({ atMs, frame });
        this.#onFrame?.(frame);
      }
    }
    this.#wake();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, 250);
      this.#waiting.add(done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

export function toPrompt(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: "text", text }] };
}
