// A real terminal around the built program: a tmux server of its own per test, driven by keys and read as text.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pidIn } from "../process/process-mark.ts";
import { mainFile } from "../program/built.ts";
import { parseScreen, type Row, screenText } from "./styled-screen.ts";

/** Nothing in these tests takes so long, however busy the machine is. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 40;

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export class TmuxTerminal implements Disposable {
  readonly home: string;
  readonly cwd: string;
  readonly #folder: string;
  readonly #socket: string;

  constructor({ columns = 80, rows = 24, env = {} }: TerminalOptions = {}) {
    // As long on every machine: the folder's name is part of what is shown.
    this.#folder = mkdtempSync("/tmp/agentao-");
    this.home = join(this.#folder, "home");
    this.cwd = join(this.#folder, "project");
    mkdirSync(this.home);
    mkdirSync(this.cwd);
    this.#socket = join(this.#folder, "tmux");
    const words = {
      PATH: process.env.PATH ?? "",
      HOME: this.home,
      LANG: "C.UTF-8",
      PS1: "READY> ",
      // The shell writes none when its terminal goes.
      HISTFILE: "",
      AGENTAO_HOME: join(this.home, ".agentao"),
      AGENTAO_LOCAL_MODELS: "0",
      AGENTAO_PROGRAM: mainFile,
      ...env,
    };
    const given = Object.entries(words).map(([name, value]) => `${name}=${value}`);
    this.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-x",
      `${columns}`,
      "-y",
      `${rows}`,
      "-c",
      this.cwd,
      "env",
      "-i",
      "TERM=screen-256color",
      ...given,
      "bash",
      "--norc",
      "--noprofile",
    );
    this.#tmux("set-option", "-g", "escape-time", "5");
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  /** Presses keys by tmux's names. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  send(line: string): void {
    this.type(line);
    this.press("Enter");
  }

  paste(text: string): void {
    const file = join(this.#folder, "paste");
    writeFileSync(file, text);
    this.#tmux("load-buffer", file);
    this.#tmux("paste-buffer", "-p", "-r");
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`);
  }

  /** What is on the screen, without blank lines at the end. */
  screen(): string {
    return screenText(this.rows());
  }

  /** With styles. */
  rows(): readonly Row[] {
    // With blanks at the end of lines: the cursor is one.
    return parseScreen(this.#tmux("capture-pane", "-p", "-e", "-N"));
  }

  /** Waits until the screen shows it; the error shows the screen. */
  async until(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    const isThere =
      typeof wanted === "function"
        ? wanted
        : (screen: string) => (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen));
    return screenText(await this.untilRows((rows) => isThere(screenText(rows)), `${wanted}`));
  }

  /** The same, with the styles of what is shown. */
  async untilRows(isThere: (rows: readonly Row[]) => boolean, name = `${isThere}`): Promise<readonly Row[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const rows = this.rows();
      if (isThere(rows)) return rows;
      if (Date.now() > deadline) throw new Error(`the screen never showed ${name}:\n${screenText(rows)}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Starts the program and waits for its editor. Afterwards it says how it ended, and whether the terminal is sane. */
  async start(args = "", env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.run(args, env);
    await this.until("% full");
  }

  run(args = "", env: Readonly<Record<string, string>> = {}): void {
    const given = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
    const script = [
      ...given,
      "stty -a > ../before",
      `sh -c 'echo $$ > ../pid; exec node "$AGENTAO_PROGRAM" "$@"' agentao ${args}`,
      'echo "exit code $?"',
      "stty -a > ../after",
      'cmp ../before ../after && echo "as it was"',
    ];
    writeFileSync(join(this.#folder, "go"), script.join("\n"));
    this.send("clear; bash ../go");
  }

  /** Of the program that was started last. */
  get pid(): number {
    return pidIn(readFileSync(join(this.#folder, "pid"), "utf8"));
  }

  [Symbol.dispose](): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
    const note = join(this.#folder, "pid");
    // It may be there before anything is in it.
    if (existsSync(note) && readFileSync(note, "utf8") !== "") endProcess(this.pid);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-u", "-S", this.#socket, ...args], { encoding: "utf8" });
  }
}

/** It ends with its terminal; what does not is ended. */
function endProcess(pid: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; isRunning(pid); waitedMs += LOOK_MS) {
    if (waitedMs > 3_000) process.kill(pid, "SIGKILL");
    Atomics.wait(pause, 0, 0, LOOK_MS);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isDefunct(pid);
  } catch {
    return false;
  }
}

/** It has ended, and nobody has asked how: orphans of a container wait for that. */
function isDefunct(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && /\) Z /.test(readFileSync(stat, "utf8"));
}
