// Reads what ripgrep prints with `--null --line-number --column`, in whatever pieces it comes: a path, a NUL, two numbers
// with a colon each, and the line. Of a long line only what is shown is kept.

import { showWindow, type Window, windowAround } from "./search-line.ts";

export interface OutputListener {
  /** False when that is enough; nothing more is told then. */
  onMatch(path: string, line: number, text: string): boolean;
  /** What was found before in this file does not count. */
  onBinary(path: string): void;
}

interface Line {
  readonly path: string;
  readonly number: number;
  readonly window: Window;
  readonly pieces: Buffer[];
  bytes: number;
}

const [NUL, NEWLINE, COLON] = [0, 10, 58];
/** Printed instead of a match, when a file turns out to be binary after its first one. */
const BINARY = /^([^\0]*?): WARNING: stopped searching binary file after match \(found .*? byte around offset \d+\)\n/s;
/** Paths are shorter than that. */
const MAX_HEAD_BYTES = 64 * 1024;

export function createOutputReader(listener: OutputListener) {
  let head: Buffer = Buffer.alloc(0);
  let line: Line | undefined;
  let isEnough = false;

  const readHead = (piece: Buffer): Buffer | undefined => {
    head = head.length === 0 ? piece : Buffer.concat([head, piece]);
    skipWarnings();
    const nul = head.indexOf(NUL);
    const first = nul === -1 ? -1 : head.indexOf(COLON, nul);
    const second = first === -1 ? -1 : head.indexOf(COLON, first + 1);
    if (second === -1) {
      if (head.length > MAX_HEAD_BYTES) isEnough = true;
      return undefined;
    }
    const at = Number(head.toString("latin1", first + 1, second)) - 1;
    line = {
      path: head.toString("utf8", 0, nul),
      number: Number(head.toString("latin1", nul + 1, first)),
      window: windowAround(at),
      pieces: [],
      bytes: 0,
    };
    const rest = head.subarray(second + 1);
    head = Buffer.alloc(0);
    return rest;
  };

  const skipWarnings = (): void => {
    for (;;) {
      const nul = head.indexOf(NUL);
      const before = nul === -1 ? head : head.subarray(0, nul);
      if (!before.includes(": WARNING: ")) return;
      const warning = BINARY.exec(before.toString("latin1"));
      if (warning === null) return;
      listener.onBinary(Buffer.from(warning[1] as string, "latin1").toString("utf8"));
      head = head.subarray(warning[0].length);
    }
  };

  const readLine = (piece: Buffer, of: Line): Buffer | undefined => {
    const end = piece.indexOf(NEWLINE);
    const text = end === -1 ? piece : piece.subarray(0, end);
    keep(of, text);
    if (end === -1) return undefined;
    line = undefined;
    isEnough = !listener.onMatch(of.path, of.number, showWindow(Buffer.concat(of.pieces), of.window, of.bytes));
    return piece.subarray(end + 1);
  };

  return {
    /** False when there is no use in more. */
    write(chunk: Buffer): boolean {
      let rest: Buffer | undefined = chunk;
      while (rest !== undefined && rest.length > 0 && !isEnough) {
        rest = line === undefined ? readHead(rest) : readLine(rest, line);
      }
      return !isEnough;
    },
    /** A last warning has no match after it. */
    end(): void {
      if (!isEnough && line === undefined) skipWarnings();
    },
  };
}

function keep(line: Line, text: Buffer): void {
  const { from, to } = line.window;
  const [start, end] = [Math.max(from - line.bytes, 0), to - line.bytes];
  if (end > 0 && start < text.length) line.pieces.push(text.subarray(start, end));
  line.bytes += text.length;
}
