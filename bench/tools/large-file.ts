// A file of 1 GB whose every line tells its number, and a command that prints 100 MB.

import { closeSync, openSync, statfsSync, writeSync } from "node:fs";

const LINE_BYTES = 64;
const BLOCK_LINES = 16_384;
const BLOCKS = 1_024;
const DIGITS = 9;
const ZERO = 0x30;
const FLOOD_BYTES = 100_000_000;
const LEAST_FREE_BYTES = 3e9;

export const LINES = BLOCK_LINES * BLOCKS;

/** Counted from 1. */
export function lineOf(number: number): string {
  return `${String(number).padStart(DIGITS, "0")} ${"x".repeat(LINE_BYTES - DIGITS - 2)}`;
}

/** What is wrong with the place, if anything is. */
export function lacksRoom(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  return free < LEAST_FREE_BYTES ? `${folder} has only ${(free / 1e9).toFixed(1)} GB free, not 3` : undefined;
}

/** Only the digits change from block to block. */
export function writeLargeFile(path: string): void {
  const block = Buffer.from(`${lineOf(0)}\n`.repeat(BLOCK_LINES));
  const file = openSync(path, "wx");
  try {
    for (let at = 0; at < BLOCKS; at++) {
      for (let line = 0; line < BLOCK_LINES; line++) writeNumber(block, line * LINE_BYTES, at * BLOCK_LINES + line + 1);
      writeSync(file, block);
    }
  } finally {
    closeSync(file);
  }
}

function writeNumber(block: Buffer, start: number, number: number): void {
  let left = number;
  for (let at = start + DIGITS - 1; at >= start; at--) {
    block[at] = ZERO + (left % 10);
    left = Math.floor(left / 10);
  }
}

export function floodCommand(last: string): string {
  return `yes ${"0123456789".repeat(10).slice(1)} | head -c ${FLOOD_BYTES}; echo; echo ${last}`;
}
