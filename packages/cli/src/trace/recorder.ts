// Takes what passes, and writes it down later: a chunk is only put into a queue here; lines are read, looked at and
// written when the event loop has nothing else to do, a few milliseconds at a time.

import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { redactFrame, redactText } from "../secret/redact-frame.ts";
import { messageOf } from "../text/message-of.ts";
import { type Line, Lines, MAX_LINE_BYTES } from "./lines.ts";
import {
  type BreachRule,
  type RecordedEnd,
  type RecordedFrame,
  type RecordedLine,
  RecordingError,
  type Sender,
} from "./recording.ts";
import { ChunkRedaction } from "./redact-chunk.ts";
import { type Seen, Watch } from "./watch.ts";

export interface Summary {
  readonly frames: Readonly<Record<Sender, number>>;
  readonly breaches: readonly FoundBreach[];
  /** How many there were; only the first are kept. */
  readonly breachCount: number;
  readonly unanswered: RecordedEnd["unanswered"];
  /** Why there is no recording, where one was asked for. */
  readonly problem?: string | undefined;
}

export interface FoundBreach {
  readonly from: Sender;
  readonly atMs: number;
  readonly method: string;
  readonly rule: BreachRule;
  readonly message: string;
}

const SLICE_MS = 4;
const KEPT_BREACHES = 1000;
/** While more than this waits to be looked at, whoever sends is made to wait too. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const FLUSH_CHARS = 64 * 1024;

interface Waiting {
  readonly from: Sender;
  readonly chunk: Uint8Array;
  readonly atMs: number;
}

export interface RecorderOptions {
  readonly file?: string | undefined;
  readonly command: readonly string[];
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
}

export class Recorder {
  readonly #watch = new Watch();
  readonly #redaction = new ChunkRedaction();
  readonly #lines: Record<Sender, Lines> = { client: new Lines(), agent: new Lines() };
  readonly #frames: Record<Sender, number> = { client: 0, agent: 0 };
  readonly #breaches: FoundBreach[] = [];
  readonly #now: () => number;
  readonly #begunMs: number;
  readonly #begunAt = Date.now();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #breachCount = 0;
  #file: number | undefined;
  #text = "";
  #problem: string | undefined;
  #onRoom: (() => void)[] = [];

  /**
   * Throws a `RecordingError` when the file cannot be opened: better before anything has started than a recording that is
   * missing.
   */
  constructor({ file, command, now = () => performance.now() }: RecorderOptions) {
    this.#now = now;
    this.#begunMs = now();
    if (file !== undefined) this.#file = openOwn(file);
    const words = redactFrame(command) as string[];
    this.#write({ type: "start", version: 1, ts: new Date(this.#begunAt).toISOString(), command: words });
    this.#flush();
  }

  /** Never throws and never looks: that comes later. */
  take(from: Sender, chunk: Uint8Array): void {
    this.#waiting.push({ from, chunk, atMs: this.#now() - this.#begunMs });
    this.#waitingBytes += chunk.length;
    this.#schedule();
  }

  get isFull(): boolean {
    return this.#waitingBytes > MAX_WAITING_BYTES;
  }

  /** Calls once there is room again. */
  whenRoom(then: () => void): void {
    this.#onRoom.push(then);
  }

  /** Looks at everything that is left, and closes the file. */
  end(how: Pick<RecordedEnd, "by" | "exitCode" | "signal">): Summary {
    clearImmediate(this.#scheduled);
    this.#work(Number.POSITIVE_INFINITY);
    const atMs = this.#now() - this.#begunMs;
    for (const from of ["client", "agent"] as const) {
      const rest = this.#lines[from].rest();
      if (rest !== undefined) this.#look(from, rest, atMs);
    }
    const { unanswered } = this.#watch;
    this.#write({ type: "end", ts: this.#timeOf(atMs), atMs: round(atMs), ...how, unanswered });
    this.#flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    return {
      frames: this.#frames,
      breaches: this.#breaches,
      breachCount: this.#breachCount,
      unanswered,
      problem: this.#problem,
    };
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#work(this.#now() + SLICE_MS);
      this.#flush();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #work(untilMs: number): void {
    let at = 0;
    for (; at < this.#waiting.length && this.#now() < untilMs; at++) {
      const { from, chunk, atMs } = this.#waiting[at] as Waiting;
      this.#waitingBytes -= chunk.length;
      for (const line of this.#lines[from].take(chunk)) this.#look(from, line, atMs);
    }
    this.#waiting = at === this.#waiting.length ? [] : this.#waiting.slice(at);
    if (!this.isFull) for (const then of this.#onRoom.splice(0)) then();
  }

  #look(from: Sender, line: Line, atMs: number): void {
    // Readers of lines skip empty ones, and so does everybody here.
    if (line.size === 0) return;
    this.#frames[from]++;
    const seen = line.size > line.bytes.length ? unread(line) : this.#watch.see(from, line.bytes, atMs);
    for (const { rule, message } of seen.breaches) {
      this.#breachCount++;
      if (this.#breaches.length < KEPT_BREACHES) {
        this.#breaches.push({ from, atMs, method: nameOf(seen), rule, message });
      }
    }
    if (this.#file !== undefined) this.#write(this.#toRecorded(from, line, atMs, seen));
  }

  #toRecorded(from: Sender, { bytes, size }: Line, atMs: number, { value, answers, breaches }: Seen): RecordedFrame {
    return {
      type: "frame",
      ts: this.#timeOf(atMs),
      atMs: round(atMs),
      from,
      bytes: size,
      ...(answers && { method: answers.method, latencyMs: answers.latencyMs }),
      ...(breaches.length > 0 && { breaches }),
      ...(value === undefined
        ? { text: redactText(Buffer.from(bytes).toString("utf8")) }
        : { frame: this.#redaction.redact(value) }),
    };
  }

  #timeOf(atMs: number): string {
    return new Date(this.#begunAt + atMs).toISOString();
  }

  #write(line: RecordedLine): void {
    if (this.#file === undefined) return;
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length > FLUSH_CHARS) this.#flush();
  }

  /** A disk that is full ends the recording, never the traffic. */
  #flush(): void {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    try {
      for (let at = 0; this.#file !== undefined && at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch (cause) {
      this.#problem = `the recording is not complete: ${messageOf(cause)}`;
      if (this.#file !== undefined) closeSync(this.#file);
      this.#file = undefined;
    }
  }
}

/** For its owner only, also where there was a file that others may read. */
function openOwn(path: string): number {
  try {
    const file = openSync(path, "w", 0o600);
    if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
    return file;
  } catch (cause) {
    throw new RecordingError(`cannot write the recording: ${messageOf(cause)}`, { cause });
  }
}

/** It was handed on all the same. */
function unread({ size }: Line): Seen {
  const message = `the line has ${size} bytes and was not looked at; no reader takes more than ${MAX_LINE_BYTES}`;
  return { shape: { type: "none", problem: message }, breaches: [{ rule: "long-line", message }] };
}

function nameOf({ shape, answers }: Seen): string {
  if ("method" in shape) return shape.method;
  return answers === undefined ? "(unknown)" : `${answers.method} (answer)`;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
