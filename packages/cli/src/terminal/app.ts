// The interactive terminal: an ACP client with a screen. Keys become requests, updates become lines.

import { join } from "node:path";
import { matchesKey } from "@earendil-works/pi-tui";
import type { Front } from "../front/front.ts";
import type { Io } from "../io/io.ts";
import { Chat } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import { createCompletion } from "./input/completion.ts";
import { projectFiles } from "./input/project-files.ts";
import { openPromptHistory, type PromptHistory } from "./input/prompt-history.ts";
import type { NamedAgents } from "./named-agent/named-agents.ts";
import { OwnShell } from "./own-shell.ts";
import type { Questions } from "./question/question.ts";
import { readBranch } from "./read-branch.ts";
import { guardTerminal } from "./screen/crash-guard.ts";
import { type Device, openDevice } from "./screen/device.ts";
import { QuestionDesk } from "./screen/question-desk.ts";
import { Screen } from "./screen/screen.ts";
import { offeredCommands } from "./slash/index.ts";
import { findSelectable } from "./slash/option.ts";
import { toStatus } from "./status.ts";
import { tellEnd } from "./tell-end.ts";
import { createPaint, wantsColour } from "./view/paint.ts";

export interface AppOptions {
  readonly io: Io;
  readonly front: Front;
  readonly questions: Questions;
  readonly home: string | undefined;
  /** The conversation is there; from now on it hears what the client hears. */
  onConversation(conversation: Conversation): void;
}

/** Ctrl+C twice within this leaves. */
const TWICE_MS = 2_000;

export class App {
  readonly #options: AppOptions;
  readonly #device: Device;
  readonly #screen: Screen;
  readonly #chat: Chat;
  readonly #shell: OwnShell;
  readonly #desk: QuestionDesk;
  #prompts: PromptHistory | undefined;
  #branch: string | undefined;
  #lastInterruptAt = Number.NEGATIVE_INFINITY;
  #leave: () => void = () => {};

  constructor(options: AppOptions) {
    this.#options = options;
    const { io, front } = options;
    this.#device = openDevice(io);
    this.#chat = new Chat({
      front,
      questions: options.questions,
      env: io.env,
      onChange: () => this.#screen?.repaint(),
      surface: {
        choose: (title, choices) => this.#desk.choose(title, choices),
        write: (text) => this.#device.write(text),
        exit: () => this.#leave(),
      },
    });
    const { conversation, agents } = this.#chat;
    this.#screen = new Screen({
      device: this.#device,
      paint: createPaint(wantsColour(io.env)),
      conversation,
      status: () => toStatus(conversation, { agentName: front.agentName, branch: this.#branch }),
      hint: () => this.#hint(),
      completion: createCompletion({
        commands: () => offeredCommands(conversation.transcript.commands),
        files: projectFiles(() => conversation.cwd),
        agents: () => agents.offered(),
      }),
      onKey: (data) => this.#onKey(data),
      onSubmit: (text) => void this.#onSubmit(text),
    });
    this.#desk = new QuestionDesk(options.questions, this.#screen, () => this.#device.rows);
    this.#shell = new OwnShell(conversation, io.env);
    options.onConversation(conversation);
  }

  get conversation(): Conversation {
    return this.#chat.conversation;
  }

  get agents(): NamedAgents {
    return this.#chat.agents;
  }

  /** Until the person leaves, or the signal fires. The terminal is as it was when this settles, however it does. */
  async run(): Promise<void> {
    const { io, home, front } = this.#options;
    const release = guardTerminal(() => this.#device.restore(), io.stderr);
    try {
      this.#prompts = await openPromptHistory(home === undefined ? undefined : join(home, "history.jsonl"));
      for (const prompt of this.#prompts.prompts) this.#screen.remember(prompt);
      void this.#findBranch();
      void front.client.closed.then((cause) => tellEnd(this.conversation, cause));
      await new Promise<void>((resolve) => {
        this.#leave = resolve;
        io.signal.addEventListener("abort", () => resolve(), { once: true });
        io.stdin.once("end", resolve);
        if (io.signal.aborted) return resolve();
        this.#screen.start();
      });
    } finally {
      this.#shell.stop();
      this.conversation.cancel();
      await this.#screen.leave();
      release();
      await this.agents.close();
    }
  }

  // ---- keys ----

  #onKey(data: string): boolean {
    const screen = this.#screen;
    const isForEditor = this.#desk.isForEditor();
    if (matchesKey(data, "ctrl+o")) return done(() => screen.toggle("calls"));
    if (matchesKey(data, "ctrl+t")) return done(() => screen.toggle("thoughts"));
    if (matchesKey(data, "ctrl+l")) return done(() => screen.repaintAll());
    if (matchesKey(data, "ctrl+z")) return done(() => this.#suspend());
    // Whatever a key does to an editor or a panel is to be seen.
    screen.repaint();
    if (screen.panel !== undefined) return isForEditor && done(() => screen.typeOn(data));
    if (matchesKey(data, "ctrl+c")) return done(() => this.#interrupt());
    if (matchesKey(data, "ctrl+d") && screen.text === "") return done(() => this.#leave());
    if (matchesKey(data, "shift+tab")) return done(() => void this.#nextMode());
    if (matchesKey(data, "escape") && !screen.isCompleting) return this.#stop();
    return false;
  }

  /** Ctrl+C: the line, then what runs, then, a second time, the program. */
  #interrupt(): void {
    const { text } = this.#screen;
    if (text !== "") {
      // Up brings it back; what stands for a paste means nothing once that is gone.
      if (!/\[paste #\d+ /.test(text)) this.#screen.remember(text);
      this.#screen.setText("");
      return;
    }
    const now = performance.now();
    if (now - this.#lastInterruptAt < TWICE_MS) this.#leave();
    this.#lastInterruptAt = now;
    this.#stop();
    this.#screen.repaint();
    setTimeout(() => this.#screen.repaint(), TWICE_MS).unref();
  }

  #hint(): string | undefined {
    const isRecent = performance.now() - this.#lastInterruptAt < TWICE_MS;
    return isRecent ? "Ctrl+C again to leave" : undefined;
  }

  #stop(): boolean {
    if (this.#shell.stop()) return true;
    if (this.conversation.runningMs === undefined) return false;
    const waiting = this.conversation.cancel().map(({ text }) => text);
    if (waiting.length > 0)
      this.#screen.setText([...waiting, this.#screen.text].filter((text) => text !== "").join("\n"));
    return true;
  }

  #suspend(): void {
    if (process.platform === "win32") return;
    this.#screen.stop();
    // Without a terminal to read, nothing else would keep the process alive until it is woken.
    const alive = setInterval(() => {}, 60_000);
    process.once("SIGCONT", () => {
      clearInterval(alive);
      this.#screen.start();
      this.#screen.repaintAll();
    });
    process.kill(0, "SIGTSTP");
  }

  async #nextMode(): Promise<void> {
    const modes = findSelectable(this.#chat.commandRoom(), "mode");
    if (modes === undefined) return;
    const at = modes.choices.findIndex(({ id }) => id === modes.current);
    const next = modes.choices[(at + 1) % modes.choices.length]?.id;
    if (next !== undefined) await this.#chat.guard(() => modes.set(next));
  }

  // ---- what was typed ----

  async #onSubmit(typed: string): Promise<void> {
    const text = typed.trim();
    if (text === "") return;
    this.#screen.remember(text);
    void this.#prompts?.add(typed.startsWith(" ") ? typed : text);
    if (text.startsWith("!")) {
      await this.#shell.run(text.slice(1).trim());
      return this.#findBranch();
    }
    await this.#chat.take(text);
    void this.#findBranch();
  }

  /** Also for whoever owns the questions: one has come or gone. */
  questionsChanged(): void {
    this.#desk.look();
    this.#screen.repaint();
  }

  async #findBranch(): Promise<void> {
    this.#branch = await readBranch(this.conversation.cwd);
    this.#screen.repaint();
  }
}

function done(act: () => void): true {
  act();
  return true;
}
