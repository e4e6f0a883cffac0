// JSON-RPC over lines as one writes it by hand in an hour: split at newlines, `JSON.parse`, one write per frame, no
// checks. The floor to compare libraries with.

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

export interface RawFrame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

export function readFrames(input: Readable, onFrame: (frame: RawFrame) => void): void {
  let rest: Buffer | undefined;
  input.on("data", (chunk: Buffer) => {
    const block = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, start)) {
      onFrame(JSON.parse(block.toString("utf8", start, end)));
      start = end + 1;
    }
    rest = start < block.length ? block.subarray(start) : undefined;
  });
}

/** Returns nothing while there is room, else a promise for room. */
export function writeFrame(output: Writable, frame: RawFrame): Promise<void> | undefined {
  if (output.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`)) return undefined;
  return once(output, "drain").then(() => undefined);
}
