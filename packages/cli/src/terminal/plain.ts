// The conversation in lines, for terminals that can do no more (`TERM=dumb`, an editor's shell window): nothing moves,
// nothing is painted over.

import { createInterface, type Interface } from "node:readline";
import type { Io } from "../command/command.ts";
import type { Front } from "../front/front.ts";
import { Conversation, toWords } from "./conversation.ts";
import { runShell } from "./input/run-shell.ts";
import { NamedAgents } from "./named-agent/named-agents.ts";
import { PlainPrinter } from "./plain-printer.ts";
import type { Choice, FormStep, FormValue } from "./question/form-step.ts";
import { parseFormText } from "./question/form-step.ts";
import { permissionView, refusalOf } from "./question/permission-view.ts";
import type { Question, Questions } from "./question/question.ts";
import type { CommandRoom } from "./slash/command.ts";
import { offeredCommands } from "./slash/index.ts";
import { promptWith, takeLine } from "./take-line.ts";
import { tellEnd } from "./tell-end.ts";
import { cleanLine, cleanText } from "./view/clean-text.ts";
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
  readonly agents: NamedAgents;
  readonly #options: PlainOptions;
  readonly #conversation: Conversation;
  readonly #printer: PlainPrinter;
  /** What was started here ends with it. */
  readonly #left = new AbortController();
  #lines: Interface | undefined;
  #asked: Question | undefined;
  #answer: ((line: string | undefined) => void) | undefined;
  #leave: () => void = () => {};

  constructor(options: PlainOptions) {
    this.#options = options;
    const { io, front } = options;
    const { sessionId, cwd, configOptions, modeIds } = front;
    const session = { sessionId, cwd, configOptions, modeIds, modeId: undefined };
    this.#printer = new PlainPrinter((text) => void io.stdout.write(text));
    this.#conversation = new Conversation(front.client, session, { now: Date.now, onChange: () => this.#onChange() });
    const { questions } = options;
    this.agents = new NamedAgents({ conversation: this.#conversation, questions, env: io.env });
    options.onConversation(this.#conversation);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  questionsChanged(): void {
    this.#onChange();
  }

  async run(): Promise<void> {
    const { io, front } = this.#options;
    const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
    this.#lines = lines;
    let isLeaving = false;
    void front.client.closed.then((cause) => {
      if (!isLeaving) tellEnd(this.#conversation, cause);
    });
    await new Promise<void>((resolve) => {
      this.#leave = resolve;
      io.signal.addEventListener("abort", () => resolve(), { once: true });
      lines.once("close", resolve);
      lines.on("line", (line) => void this.#onLine(line));
      this.#invite();
    });
    isLeaving = true;
    this.#left.abort();
    this.#conversation.cancel();
    lines.close();
    await this.agents.close();
  }

  async #onLine(line: string): Promise<void> {
    const answer = this.#answer;
    if (answer !== undefined) {
      this.#answer = undefined;
      return answer(line.trim());
    }
    const text = line.trim();
    try {
      if (text !== "") await this.#act(text);
    } catch (cause) {
      this.#conversation.say(toWords(cause), "error");
    }
    this.#invite();
  }

  async #act(text: string): Promise<void> {
    const { cwd } = this.#conversation;
    const { io, front } = this.#options;
    if (text.startsWith("!")) {
      const { signal } = this.#left;
      const { output, ending } = await runShell(text.slice(1), { cwd, env: io.env, signal, onOutput: () => {} });
      return this.#printer.line(cleanText(output).trimEnd() + (ending === undefined ? "" : `\n(${ending})`));
    }
    const commandRoom = (): CommandRoom => this.#commandRoom();
    await takeLine(text, { front, conversation: this.#conversation, agents: this.agents, commandRoom });
  }

  #commandRoom(): CommandRoom {
    return {
      client: this.#options.front.client,
      conversation: this.#conversation,
      commands: offeredCommands(this.#conversation.transcript.commands),
      choose: (title, choices) => this.#choose(title, choices),
      prompt: (text) => promptWith(text, { front: this.#options.front, conversation: this.#conversation }),
      // A terminal that can do no more has no clipboard for us.
      write: () => {},
      exit: () => this.#leave(),
    };
  }

  #invite(): void {
    if (this.#lines === undefined || this.#conversation.runningMs !== undefined) return;
    this.#printer.fresh();
    this.#options.io.stdout.write("> ");
  }

  #onChange(): void {
    this.#printer.show(this.#conversation);
    const { first } = this.#options.questions;
    if (first === this.#asked) return;
    this.#asked = first;
    if (first === undefined) {
      // It was answered, or is no longer asked.
      this.#answer = undefined;
      return;
    }
    void this.#ask(first);
  }

  async #ask(question: Question): Promise<void> {
    if (question.type === "permission") {
      this.#printer.line(permissionView(question.request, this.#room(), Number.MAX_SAFE_INTEGER).join("\n"));
      const choices = question.request.options.map(({ optionId, name }) => ({ id: optionId, label: name }));
      return question.settle((await this.#choose("", choices)) ?? refusalOf(question.request));
    }
    this.#printer.line(`? ${cleanText(question.message)}`);
    const values: Record<string, FormValue> = {};
    for (const step of question.steps) {
      const value = await this.#askStep(step);
      if (value !== undefined)
        values[step.type === "choice" && value.isOwn ? (step.otherName ?? step.name) : step.name] = value.value;
      else if (step.isRequired) return question.settle(undefined);
    }
    question.settle(values);
  }

  async #askStep(step: FormStep): Promise<{ readonly value: FormValue; readonly isOwn: boolean } | undefined> {
    if (step.type === "text") {
      const value = parseFormText((await this.#read(`${cleanLine(step.title)}: `)) ?? "", step.takes);
      return value === undefined || value === "" ? undefined : { value, isOwn: true };
    }
    const choices = step.type === "yes-no" ? YES_NO : step.choices;
    this.#list(choices);
    const said = await this.#read("Number or words: ");
    const chosen = (said ?? "").split(/[\s,]+/).flatMap((word) => choices[Number(word) - 1]?.id ?? []);
    if (step.type === "yes-no")
      return chosen[0] === undefined ? undefined : { value: chosen[0] === "yes", isOwn: false };
    if (chosen.length > 0) return { value: step.isMultiple ? chosen : (chosen[0] ?? ""), isOwn: false };
    return said && step.otherName !== undefined ? { value: said, isOwn: true } : undefined;
  }

  async #choose(title: string, choices: readonly Choice[]): Promise<string | undefined> {
    if (title !== "") this.#printer.line(title);
    this.#list(choices);
    const said = await this.#read("Number: ");
    return choices[Number(said) - 1]?.id;
  }

  #list(choices: readonly Choice[]): void {
    choices.forEach(({ label }, at) => {
      this.#printer.line(`  ${at + 1} ${cleanLine(label)}`);
    });
  }

  #read(words: string): Promise<string | undefined> {
    this.#options.io.stdout.write(words);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  #room(): ViewRoom {
    const paint = createPaint(false);
    const opens = { thoughts: false, calls: false };
    return {
      width: this.#options.io.stdout.columns ?? 80,
      paint,
      markdown: createMarkdown(paint),
      cwd: this.#conversation.cwd,
      opens,
    };
  }
}

const YES_NO: readonly Choice[] = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
