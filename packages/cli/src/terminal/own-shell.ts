// `!command` in a conversation: one at a time, its output as a note that grows.

import type { Conversation } from "./conversation.ts";
import { runShell } from "./input/run-shell.ts";

/** The end of an output is what is looked at. */
const MAX_LINES = 200;
export const NO_COMMAND = "Write a command behind the !, such as !git status.";
const RUNNING = "running; Esc stops it";

export class OwnShell {
  readonly #conversation: Conversation;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #running: AbortController | undefined;

  constructor(conversation: Conversation, env: Readonly<Record<string, string | undefined>>) {
    this.#conversation = conversation;
    this.#env = env;
  }

  async run(command: string): Promise<void> {
    if (command === "") return this.#conversation.say(NO_COMMAND, "warning");
    if (this.#running !== undefined) {
      this.#conversation.say("A command is running; Esc stops it.", "warning");
      return;
    }
    const running = new AbortController();
    this.#running = running;
    const write = this.#conversation.sayGrowing(toText(command, "", RUNNING));
    const { output, ending } = await runShell(command, {
      cwd: this.#conversation.cwd,
      env: this.#env,
      signal: running.signal,
      onOutput: (soFar) => write(toText(command, soFar, RUNNING)),
    });
    this.#running = undefined;
    write(toText(command, output, ending));
  }

  /** Whether there was something to stop. */
  stop(): boolean {
    this.#running?.abort();
    return this.#running !== undefined;
  }
}

function toText(command: string, output: string, state: string | undefined): string {
  const lines = [`$ ${command}`, lastLines(output), state === undefined ? "" : `(${state})`];
  return lines.filter((line) => line !== "").join("\n");
}

function lastLines(output: string): string {
  const lines = output.trimEnd().split("\n");
  const missing = lines.length - MAX_LINES;
  return missing <= 0
    ? lines.join("\n")
    : [`… ${missing} ${missing === 1 ? "line" : "lines"} before`, ...lines.slice(missing)].join("\n");
}
