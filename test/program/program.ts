// The built program as a child process, driven by bare pipes: what it says, what it starts, and how it ends.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Nothing in these tests takes so long, however busy the machine is. */
const PATIENCE_MS = 20_000;

export interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked into by the tests, each knowing what it asked for.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly kind?: string } };
}

export interface Heard {
  readonly atMs: number;
  readonly frame: Frame;
}

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

/** What a test makes and starts, so that it can be taken away again. */
const folders: string[] = [];
const programs: Program[] = [];

export function cleanUp(): void {
  for (const program of programs.splice(0)) {
    for (const mark of program.everSeen) if (isRunning(mark)) kill(mark.pid);
    program.child.kill("SIGKILL");
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentao-program-"));
  folders.push(folder);
  return folder;
}

/** `AGENTAO_PROGRAM` names another build. */
export const mainFile = process.env.AGENTAO_PROGRAM ?? join(root, "packages/cli/dist/main.js");

/** Builds once when the build is missing, or older than what it is made of. Several test files may ask at once. */
export async function ensureBuilt(): Promise<void> {
  if (process.env.AGENTAO_PROGRAM !== undefined) return;
  const lock = join(root, "node_modules/.agentao-build");
  let isOurs = false;
  await until(() => {
    if (isFresh()) return true;
    isOurs = tryLock(lock);
    return isOurs;
  }, "another test file builds");
  if (!isOurs) return;
  try {
    // The one before us may have been quicker.
    if (!isFresh()) execFileSync("npx", ["tsx", "scripts/build.ts"], { cwd: root, stdio: "pipe" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isFresh(): boolean {
  const built = mtime(mainFile);
  const sources = ["acp", "agent", "cli"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }),
  );
  return sources.every(
    (file) => !file.isFile() || /\.test\.ts$/.test(file.name) || mtime(join(file.parentPath, file.name)) <= built,
  );
}

function tryLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    // One whose maker died is worth nothing.
    if (Date.now() - mtime(path) > 60_000) rmdirSync(path);
    return false;
  }
}

function mtime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function start(options: ProgramOptions = {}): Program {
  const program = new Program(options);
  programs.push(program);
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
      const frame = parse(line);
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

export class RpcFailure extends Error {
  readonly code: number;
  readonly data: { readonly kind?: string } | undefined;

  constructor({ code, message, data }: NonNullable<Frame["error"]>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function toPrompt(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: "text", text }] };
}

function parse(line: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Frame) : undefined;
  } catch {
    return undefined;
  }
}

/** The start tells a process from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly command: string;
}

function isRunning(mark: ProcessMark): boolean {
  return lookAt(mark.pid)?.startedAt === mark.startedAt;
}

/** Resolves with those that are still there at the deadline: none, where all is well. */
export async function leftOf(marks: readonly ProcessMark[], withinMs: number): Promise<readonly ProcessMark[]> {
  const deadline = performance.now() + withinMs;
  while (marks.some(isRunning) && performance.now() < deadline) await pause(10);
  return marks.filter(isRunning);
}

function descendantsOf(pid: number): ProcessMark[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => lookAt(Number(name)))
    .filter((mark) => mark !== undefined);
  const found: ProcessMark[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const next = all.filter(({ parent }) => parents.includes(parent));
    found.push(...next);
    parents = next.map((mark) => mark.pid);
  }
  return found;
}

/** Nothing for one that is gone, or only waits to be reaped. */
function lookAt(pid: number): ProcessMark | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, parent: Number(parent), startedAt: fields[17] ?? "", command };
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS * 2; !isSo(); await pause(20)) {
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
  }
}
