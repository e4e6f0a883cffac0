// What a run writes to stdout: the answer and nothing else, in the format that was asked for.

import type { SessionUpdate } from "@agentao/acp";
import type { ProgressLine } from "../front/progress-line.ts";
import type { Io } from "../io/io.ts";
import { toPlain } from "../text/plain.ts";
import type { Stop } from "./ending.ts";
import { isErrorMessage } from "./final-text.ts";
import type { Format } from "./format.ts";
import type { RunResult } from "./result.ts";

export interface Output {
  /** The session that everything after is about. */
  begin(session: OpenedSession): Promise<void> | undefined;
  /** Resolves when there is room for more. Never rejects. */
  update(update: SessionUpdate): Promise<void> | undefined;
  finish(result: RunResult): Promise<void>;
}

export interface OpenedSession {
  readonly session_id: string;
  readonly cwd: string;
}

export interface OutputOptions extends Pick<Io, "stdout"> {
  readonly progress: ProgressLine;
  /** Ended where nothing can be written any more. */
  readonly stop: Pick<Stop, "end">;
}

type Write = (text: string) => Promise<void>;

export function createOutput(format: Format, { stdout, progress, stop }: OutputOptions): Output {
  const write = createWrite(stdout, stop);
  const finish = (result: RunResult): Promise<void> => write(toLine(result));
  const nothing = (): undefined => undefined;
  switch (format) {
    case "json":
      return { begin: nothing, update: nothing, finish };
    case "stream-json":
      return {
        begin: (session) => write(toLine(toUpdate(session))),
        update: (update) => write(toLine(update)),
        finish,
      };
    case "text":
      return { begin: nothing, ...(stdout.isTTY ? screenOutput(write, progress) : pipeOutput(write)) };
  }
}

/** Whoever is killed cannot tell its result: so that the session can be gone on with, it is named at once. */
function toUpdate(session: OpenedSession): SessionUpdate {
  return { sessionUpdate: "session_info_update", _meta: { "_agentao.cn/session": session } };
}

/** For a program that reads it: the final answer alone, without what was said on the way to it. */
function pipeOutput(write: Write): Omit<Output, "begin"> {
  return {
    update: () => undefined,
    finish: ({ final_text, partial_text }) => {
      const text = final_text ?? partial_text ?? "";
      return text === "" ? Promise.resolve() : write(text.endsWith("\n") ? text : `${text}\n`);
    },
  };
}

/** For a person who watches: everything the agent says, as it comes. */
function screenOutput(write: Write, progress: ProgressLine): Omit<Output, "begin"> {
  let last = "\n";
  let hasSaid = false;
  let message: string | undefined;
  const say = (text: string): Promise<void> => {
    const shown = toPlain(text);
    if (shown === "") return Promise.resolve();
    progress.hold();
    hasSaid = true;
    last = shown.slice(-1);
    return write(shown).then(() => {
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

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A reader that has gone has had enough; everything else is a failure. */
function createWrite(stdout: Io["stdout"], stop: Pick<Stop, "end">): Write {
  return (text) => {
    if (stdout.destroyed || !stdout.writable) return Promise.resolve();
    return new Promise((resolve) => {
      stdout.write(text, (cause: NodeJS.ErrnoException | null | undefined) => {
        if (cause?.code === "EPIPE") stop.end({ type: "interrupted" });
        else if (cause != null) stop.end({ type: "unwritable", problem: cause.message });
        resolve();
      });
    });
  };
}
