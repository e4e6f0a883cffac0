// Bytes to lines. Keeps nothing but the beginning of a line whose end has not come yet.

export interface Line {
  /** Without its end. Of a line that is longer than anybody reads, only the beginning. */
  readonly bytes: Uint8Array;
  /** Of the whole line. */
  readonly size: number;
}

const NEWLINE = 10;
const RETURN = 13;
/** No line of ACP is longer, in this program or in any other. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
const KEPT_BYTES = 1024;

export class Lines {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk. */
  take(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      lines.push(this.#end());
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    return lines;
  }

  /** What came after the last end of a line, if anything did. */
  rest(): Line | undefined {
    return this.#size === 0 ? undefined : this.#end();
  }

  #add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size <= this.#maxBytes || this.#pieces.length === 0) this.#pieces.push(piece);
    if (this.#size > this.#maxBytes) this.#pieces = [Buffer.concat(this.#pieces).subarray(0, KEPT_BYTES)];
  }

  #end(): Line {
    const [first = new Uint8Array()] = this.#pieces;
    const whole = this.#pieces.length <= 1 ? first : Buffer.concat(this.#pieces);
    const size = this.#size;
    this.#pieces = [];
    this.#size = 0;
    if (size > whole.length || whole.at(-1) !== RETURN) return { bytes: whole, size };
    return { bytes: whole.subarray(0, -1), size: size - 1 };
  }
}
