// What a run writes to stdout: the answer and nothing else, in the format that was asked for.

import type { SessionUpdate } from "@agentao/acp";
import type { Io } from "../command/command.ts";
import type { ProgressLine } from "../front/progress-line.ts";
import { isErrorMessage } from "./final-text.ts";
import type { Format } from "./format.ts";
import type { RunResult } from "./result.ts";

export interface Output {
  /** Resolves when there is room for more. Never rejects: a reader that is gone is somebody else's business. */
  update(update: SessionUpdate): Promise<void> | undefined;
  finish(result: RunResult): Promise<void>;
}

export function createOutput(format: Format, { stdout }: Pick<Io, "stdout">, progress: ProgressLine): Output {
  switch (format) {
    case "json":
      return { update: () => undefined, finish: (result) => write(stdout, toLine(result)) };
    case "stream-json":
      return {
        update: (update) => write(stdout, toLine(update)),
        finish: (result) => write(stdout, toLine(result)),
      };
    case "text":
      return stdout.isTTY ? screenOutput(stdout, progress) : pipeOutput(stdout);
  }
}

/** For a program that reads it: the final answer alone, without what was said on the way to it. */
function pipeOutput(stdout: Io["stdout"]): Output {
  return {
    update: () => undefined,
    finish: ({ final_text, partial_text }) => {
      const text = final_text ?? partial_text ?? "";
      return text === "" ? Promise.resolve() : write(stdout, text.endsWith("\n") ? text : `${text}\n`);
    },
  };
}

/** For a person who watches: everything the agent says, as it comes. */
function screenOutput(stdout: Io["stdout"], progress: ProgressLine): Output {
  let last = "\n";
  let hasSaid = false;
  let message: string | undefined;
  const say = (text: string): Promise<void> => {
    const shown = printable(text);
    if (shown === "") return Promise.resolve();
    progress.hold();
    hasSaid = true;
    last = shown.slice(-1);
    return write(stdout, shown).then(() => {
      // In the middle of a line, the line is the answer's.
      if (last === "\n") progress.release();
    });
  };
  const endLine = (): Promise<void> => (last === "\n" ? Promise.resolve() : say("\n"));
  return {
    async update(update) {
      if (update.sessionUpdate !== "agent_message_chunk") {
        // Another kind of thing has happened: what follows is another message, below it.
        if (update.sessionUpdate === "tool_call") {
          message = undefined;
          await endLine();
        }
        return;
      }
      const { content, messageId } = update;
      if (content.type !== "text" || isErrorMessage(messageId)) return;
      const id = messageId ?? message ?? "";
      const isNew = id !== message;
      message = id;
      if (isNew && hasSaid) {
        await endLine();
        await say("\n");
      }
      await say(content.text);
    },
    finish: () => endLine(),
  };
}

/** Without what a terminal would obey. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not reach the terminal.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function write(stdout: Io["stdout"], text: string): Promise<void> {
  if (stdout.destroyed || !stdout.writable) return Promise.resolve();
  return new Promise((resolve) => {
    stdout.write(text, () => resolve());
  });
}
