// Bytes to text by Node's own routines.

import type { TextDecoding } from "../stream/frame-reader.ts";
import { isAscii, isUtf8 } from "./builtin.ts";

// ASCII, nearly always the case, is one copy; anything else is decoded line by line, so that one bad line stays one.
export const nodeDecoding: TextDecoding = {
  decodeBlock: (bytes) => (isAscii(bytes) ? toBuffer(bytes).toString("latin1") : undefined),
  decodeLine: (bytes) => (isUtf8(bytes) ? toBuffer(bytes).toString("utf8") : undefined),
};

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
