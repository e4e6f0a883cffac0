// What is kept of a command's output: head and tail in memory, and all of it in a file once it is longer than that. The
// file is bounded too. Nothing here ever throws: output that cannot be kept is said to be lost.

import { randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../folder/make-folder.ts";
import { createRedaction } from "../secret/redact.ts";

export interface KeptOutput {
  /** A promise when the disk is behind: no more should be written before it resolves. */
  write(text: string): Promise<void> | undefined;
  /** To be called once, when nothing more comes. */
  end(): Promise<{ readonly output: string; readonly outputFile?: string | undefined }>;
}

/** Together with what is said around it, this is what a model is told of one call without being bounded again. */
const HEAD_CHARS = 8_000;
const TAIL_CHARS = 30_000;
/** Head and tail consist of whole lines, unless that would cost more than this. */
const MAX_CUT_LINE_CHARS = 1_000;
const MAX_FILE_CHARS = 64 * 1024 * 1024;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** `onFile` hears once where all of it goes. */
export function createKeptOutput(folder: string, onFile?: (path: string) => void): KeptOutput {
  const memory = createHeadAndTail();
  // What stays on the disk is read by others, too.
  const redaction = createRedaction();
  let file: SpillFile | undefined;

  return {
    write(text) {
      if (file === undefined && memory.length + text.length > HEAD_CHARS + TAIL_CHARS) {
        file = createSpillFile(folder);
        file.write(redaction.write(memory.whole()));
        onFile?.(file.path);
      }
      memory.write(text);
      return file?.write(redaction.write(text));
    },
    async end() {
      const { head, tail, droppedChars } = memory.parts();
      if (droppedChars === 0) return { output: head + tail };
      file?.write(redaction.end());
      const kept = await file?.end();
      return { output: `${head}${gap(droppedChars, kept)}${tail}`, outputFile: kept?.path };
    },
  };
}

interface Spilled {
  readonly path: string;
  readonly isWhole: boolean;
}

function gap(droppedChars: number, file: Spilled | undefined): string {
  const count = droppedChars.toLocaleString("en-US");
  const part = file?.isWhole === false ? `its first ${MAX_FILE_CHARS / 1024 / 1024} Mi characters` : "the whole output";
  const where = file === undefined ? "and lost" : `here; ${part} can be read in ${file.path}`;
  return `\n[… ${count} characters left out ${where} …]\n`;
}

function createHeadAndTail() {
  let head = "";
  let tail: string[] = [];
  let tailChars = 0;
  let length = 0;

  /** Pieces are joined now and then, and only what is over by more than the limit is cut: each character moves twice. */
  const bound = (): void => {
    if (tailChars <= 2 * TAIL_CHARS && tail.length < 1024) return;
    tail = [tail.join("").slice(-TAIL_CHARS)];
    tailChars = (tail[0] as string).length;
  };

  return {
    get length() {
      return length;
    },
    /** Only before anything was dropped. */
    whole: () => head + tail.join(""),
    write(text: string): void {
      length += text.length;
      const toHead = text.slice(0, HEAD_CHARS - head.length);
      head += toHead;
      if (toHead.length === text.length) return;
      tail.push(text.slice(toHead.length));
      tailChars += text.length - toHead.length;
      bound();
    },
    parts() {
      if (length <= HEAD_CHARS + TAIL_CHARS) return { head, tail: tail.join(""), droppedChars: 0 };
      const first = endingWell(head);
      const last = beginningWell(tail.join("").slice(-TAIL_CHARS));
      return { head: first, tail: last, droppedChars: length - first.length - last.length };
    },
  };
}

/** Without the line it was cut in, where that one is short; else without half a character. */
function endingWell(text: string): string {
  const border = text.lastIndexOf("\n");
  return border >= text.length - MAX_CUT_LINE_CHARS ? text.slice(0, border) : text.replace(/[\ud800-\udbff]$/, "");
}

function beginningWell(text: string): string {
  const border = text.indexOf("\n");
  const isNear = border !== -1 && border < MAX_CUT_LINE_CHARS;
  return isNear ? text.slice(border + 1) : text.replace(/^[\udc00-\udfff]/, "");
}

interface SpillFile {
  readonly path: string;
  write(text: string): Promise<void> | undefined;
  end(): Promise<Spilled | undefined>;
}

/** Opened at once; undefined at the end when it could not be written. */
function createSpillFile(folder: string): SpillFile {
  const path = join(folder, `output-${randomBytes(6).toString("hex")}.txt`);
  let left = MAX_FILE_CHARS;
  let isWhole = true;
  let handle: FileHandle | undefined;
  let failed = false;
  let work = makeFolder(folder, FOLDER_MODE)
    .then(async () => {
      handle = await open(path, "wx", FILE_MODE);
    })
    .catch(() => {
      failed = true;
    });

  return {
    path,
    write(text) {
      if (failed || left === 0) {
        isWhole = false;
        return undefined;
      }
      const piece = text.slice(0, left);
      left -= piece.length;
      if (piece.length < text.length) isWhole = false;
      work = work
        .then(async () => {
          await handle?.writeFile(piece);
        })
        .catch(() => {
          failed = true;
        });
      return work;
    },
    async end() {
      await work;
      await handle?.close().catch(() => {});
      return failed ? undefined : { path, isWhole };
    },
  };
}
