// What a recording is: one JSON object per line. The first line says what was recorded, the last one how it ended, and
// every line between is one frame as it went over the wire, without its secrets.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { fieldOf } from "../json/fields.ts";
import { messageOf } from "../text/message-of.ts";

/** Who sent a frame. */
export type Sender = "client" | "agent";

/** One way in which a frame, or its place among the others, is not what the protocol says. */
export interface Breach {
  readonly rule: BreachRule;
  readonly message: string;
}

export type BreachRule =
  | "not-json"
  | "not-a-frame"
  | "unknown-method"
  | "wrong-side"
  | "wrong-kind"
  | "bad-params"
  | "bad-result"
  | "bad-error"
  | "repaired"
  | "not-initialized"
  | "initialize-again"
  | "unknown-response"
  | "duplicate-id"
  | "unknown-session"
  | "outside-turn"
  | "unknown-option"
  | "gate"
  | "long-line";

export interface RecordedStart {
  readonly type: "start";
  readonly version: 1;
  readonly ts: string;
  /** The agent's command line, without its secrets. */
  readonly command: readonly string[];
}

export interface RecordedFrame {
  readonly type: "frame";
  readonly ts: string;
  /** Since the start. */
  readonly atMs: number;
  readonly from: Sender;
  /** Of the line, without its end. Left out by whoever writes a recording by hand. */
  readonly bytes?: number | undefined;
  /** Of a response: since its request. */
  readonly latencyMs?: number | undefined;
  /** Of a response: what it answers. */
  readonly method?: string | undefined;
  readonly breaches?: readonly Breach[] | undefined;
  /** The line as JSON; a line that is none is in `text`. */
  readonly frame?: unknown;
  readonly text?: string | undefined;
}

export interface RecordedEnd {
  readonly type: "end";
  readonly ts: string;
  readonly atMs: number;
  /** Who ended first: the client closed its end, the agent exited, or somebody stopped the proxy. */
  readonly by: Sender | "signal";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Requests that were never answered. */
  readonly unanswered: readonly { readonly from: Sender; readonly method: string; readonly id: unknown }[];
}

export type RecordedLine = RecordedStart | RecordedFrame | RecordedEnd;

/** A file that is no recording, a line of it that is none, or a place where there can be none. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** Reads a recording line by line. Throws a `RecordingError`; a last line that was cut short is left out. */
export async function* readRecording(path: string): AsyncGenerator<RecordedLine, void, undefined> {
  const input = createReadStream(path, "utf8");
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  let torn: RecordingError | undefined;
  try {
    for await (const text of lines) {
      number++;
      if (text.trim() === "") continue;
      if (torn !== undefined) throw torn;
      const line = parseRecordedLine(text);
      if (line !== undefined) yield line;
      else torn = new RecordingError(`line ${number} of ${path} is not a line of a recording`);
      if (torn !== undefined && number === 1) throw otherVersion(text, path) ?? torn;
    }
  } catch (cause) {
    if (cause instanceof RecordingError) throw cause;
    const isMissing = fieldOf(cause, "code") === "ENOENT";
    const problem = isMissing ? `there is no recording ${path}` : `cannot read ${path}: ${messageOf(cause)}`;
    throw new RecordingError(problem, { cause });
  } finally {
    input.destroy();
  }
  if (number === 0) throw new RecordingError(`${path} is empty`);
}

function otherVersion(text: string, path: string): RecordingError | undefined {
  const version = /^\{"type":"start","version":(\d+)/.exec(text)?.[1];
  if (version === undefined) return undefined;
  return new RecordingError(
    `${path} is a recording of version ${version}; this agentao reads version 1. Use the one that made it.`,
  );
}

/** Nothing for text that is no line of a recording. */
export function parseRecordedLine(text: string): RecordedLine | undefined {
  let line: Partial<RecordedLine>;
  try {
    line = JSON.parse(text) as Partial<RecordedLine>;
  } catch {
    return undefined;
  }
  if (typeof line !== "object" || line === null) return undefined;
  if (line.type === "start") return line.version === 1 ? (line as RecordedStart) : undefined;
  if (line.type === "end") return Array.isArray(line.unanswered) ? (line as RecordedEnd) : undefined;
  if (line.type !== "frame" || typeof line.atMs !== "number") return undefined;
  return line.from === "client" || line.from === "agent" ? (line as RecordedFrame) : undefined;
}
