// The conversation in lines, for terminals that can do no more (`TERM=dumb`, an editor's shell window): nothing moves,
// nothing is painted over.

import { createInterface } from "node:readline";
import type { Front } from "../front/front.ts";
import type { Io } from "../io/io.ts";
import { cleanText } from "../text/plain.ts";
import { Chat } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import { runShell } from "./input/run-shell.ts";
import type { NamedAgents } from "./named-agent/named-agents.ts";
import { NO_COMMAND } from "./own-shell.ts";
import { askInLines, chooseInLines, type PlainDesk } from "./plain-desk.ts";
import { PlainPrinter } from "./plain-printer.ts";
import type { Question, Questions } from "./question/question.ts";
import { watchSignals } from "./signal-watch.ts";
import { tellEnd } from "./tell-end.ts";
import { createMarkdown } from "./view/markdown.ts";
import { createPaint } from "./view/paint.ts";
import type { ViewRoom } from "./view/room.ts";

export interface PlainOptions {
  readonly io: Io;
  readonly front: Front;
  readonly questions: Questions;
  onConversation(conversation: Conversation): void;
}

export class PlainApp {
  readonly #options: PlainOptions;
  readonly #chat: Chat;
  readonly #printer: PlainPrinter;
  readonly #desk: PlainDesk;
  /** Nothing is printed before there is somebody to read it. */
  #isRunning = false;
  #ownCommand: AbortController | undefined;
  #asked: Question | undefined;
  #answer: ((line: string) => void) | undefined;
  #leave: () => void = () => {};

  constructor(options: PlainOptions) {
    this.#options = options;
    const { io, front, questions } = options;
    this.#printer = new PlainPrinter((text) => void io.stdout.write(text));
    this.#desk = {
      line: (text) => this.#printer.line(text),
      read: (words) => this.#read(words),
      room: () => this.#room(),
    };
    this.#chat = new Chat({
      front,
      questions,
      env: io.env,
      onChange: () => this.#onChange(),
      surface: {
        choose: (title, choices) => chooseInLines(title, choices, this.#desk),
        // A terminal that can do no more has no clipboard for us.
        write: () => {},
        exit: () => this.#leave(),
      },
    });
    options.onConversation(this.#chat.conversation);
  }

  get conversation(): Conversation {
    return this.#chat.conversation;
  }

  get agents(): NamedAgents {
    return this.#chat.agents;
  }

  questionsChanged(): void {
    this.#onChange();
  }

  async run(): Promise<void> {
    const { io, front } = this.#options;
    const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
    const release = watchSignals(io.signal, { interrupt: () => this.#interrupt(), leave: () => this.#leave() });
    void front.client.closed.then((cause) => {
      if (this.#isRunning) tellEnd(this.conversation, cause);
    });
    await new Promise<void>((resolve) => {
      this.#leave = resolve;
      if (io.signal.aborted) return resolve();
      lines.once("close", resolve);
      lines.on("line", (line) => void this.#onLine(line.trim()));
      this.#isRunning = true;
      this.#onChange();
      this.#invite();
    });
    this.#isRunning = false;
    this.#ownCommand?.abort();
    this.conversation.cancel();
    this.#printer.endPrompt();
    lines.close();
    release();
    await this.agents.close();
  }

  /** Ctrl+C: what runs, and where nothing does or it was told so already, the program. */
  #interrupt(): void {
    const { conversation } = this;
    const isRunning = conversation.runningMs !== undefined && !conversation.isStopping;
    if (this.#ownCommand?.signal.aborted === false) this.#ownCommand.abort();
    else if (!isRunning) this.#leave();
    else for (const { text } of conversation.cancel()) this.#printer.line(`Not sent: ${cleanText(text)}`);
  }

  async #onLine(text: string): Promise<void> {
    this.#printer.typed();
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer !== undefined) return answer(text);
    if (text.startsWith("!")) await this.#runOwn(text.slice(1).trim());
    else if (text !== "") await this.#chat.take(text);
    this.#invite();
  }

  async #runOwn(command: string): Promise<void> {
    if (command === "") return this.#printer.line(NO_COMMAND);
    const { cwd } = this.conversation;
    const running = new AbortController();
    this.#ownCommand = running;
    const { signal } = running;
    const { output, ending } = await runShell(command, { cwd, env: this.#options.io.env, signal, onOutput: () => {} });
    this.#ownCommand = undefined;
    const parts = [cleanText(output).trimEnd(), ending === undefined ? "" : `(${ending})`];
    this.#printer.line(parts.filter((part) => part !== "").join("\n"));
  }

  /** Where nothing else is waited for. */
  #invite(): void {
    const isBusy = this.conversation.runningMs !== undefined || this.#ownCommand !== undefined;
    if (this.#isRunning && !isBusy && this.#answer === undefined) this.#printer.prompt("> ");
  }

  #onChange(): void {
    if (!this.#isRunning) return;
    this.#printer.show(this.conversation);
    const { first } = this.#options.questions;
    if (first === this.#asked) return;
    const isOver = this.#asked !== undefined;
    this.#asked = first;
    if (isOver && this.#answer !== undefined) {
      // It is no longer asked.
      this.#answer = undefined;
      this.#printer.endPrompt();
    }
    if (first !== undefined) void askInLines(first, this.#desk);
    else this.#invite();
  }

  #read(words: string): Promise<string> {
    this.#printer.prompt(words);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  #room(): ViewRoom {
    const paint = createPaint(false);
    return {
      width: this.#options.io.stdout.columns ?? 80,
      paint,
      markdown: createMarkdown(paint),
      cwd: this.conversation.cwd,
      opens: { thoughts: false, calls: false },
    };
  }
}
