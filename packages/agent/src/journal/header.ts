// The first line of a session's file: which session it is, and whether this version can read on.

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import type { SessionId } from "../id/id.ts";
import { type Entry, type Header, JOURNAL_VERSION } from "./entry.ts";
import { MAX_LINE_BYTES, parseLine } from "./line.ts";
import { type Failed, failed, type Missing, missing, unwritable } from "./refusal.ts";

type HeaderReading = { readonly type: "header"; readonly header: Header } | Missing | Failed;

/** Needs no lock, changes nothing. */
export function readHeader(folder: string, id: SessionId): HeaderReading {
  const path = journalPath(folder, id);
  let line: string | undefined;
  try {
    line = readFirstLine(path);
  } catch (cause) {
    return errorCode(cause) === "ENOENT" ? missing(id) : unwritable(cause, path);
  }
  // A file without a whole line is what a crash left before anybody knew of the session.
  if (line === undefined) return missing(id);
  return checkHeader(parseLine(line), path, id);
}

export function journalPath(folder: string, id: SessionId): string {
  return join(folder, `${id}.jsonl`);
}

export function lockPath(folder: string, id: SessionId): string {
  return join(folder, `${id}.lock`);
}

const BLOCK_BYTES = 16 * 1024;
const NEWLINE = 10;

function readFirstLine(path: string): string | undefined {
  const file = openSync(path, "r");
  try {
    const blocks: Buffer[] = [];
    for (let at = 0; at < MAX_LINE_BYTES; at += BLOCK_BYTES) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const bytes = readSync(file, block, 0, BLOCK_BYTES, at);
      const newline = block.subarray(0, bytes).indexOf(NEWLINE);
      blocks.push(block.subarray(0, newline >= 0 ? newline : bytes));
      if (newline >= 0) return Buffer.concat(blocks).toString("utf8");
      if (bytes < BLOCK_BYTES) return undefined;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

function checkHeader(entry: Entry | undefined, path: string, id: SessionId): HeaderReading {
  if (entry?.type !== "session" || entry.id !== id) {
    return failed("damaged", `Session ${id} cannot be opened: the first line of ${path} is not its header.`);
  }
  if (entry.version > JOURNAL_VERSION) {
    const versions = `version ${entry.version} of the format; this one reads ${JOURNAL_VERSION}`;
    return failed("newer", `Session ${id} was written by a newer agentao (${versions}). Update agentao to open it.`);
  }
  const { at: _, ...header } = entry;
  return { type: "header", header };
}
