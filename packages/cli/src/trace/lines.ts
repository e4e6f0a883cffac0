// Bytes to lines. Keeps nothing but the beginning of a line whose end has not come yet.

const NEWLINE = 10;
const RETURN = 13;

export class Lines {
  #pieces: Uint8Array[] = [];

  /** The lines that end in this chunk, without their ends. */
  take(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      lines.push(this.#join(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from < chunk.length) this.#pieces.push(chunk.subarray(from));
    return lines;
  }

  /** What came after the last end of a line, if anything did. */
  rest(): Uint8Array | undefined {
    return this.#pieces.length === 0 ? undefined : this.#join(new Uint8Array());
  }

  #join(last: Uint8Array): Uint8Array {
    const whole = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    return whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole;
  }
}
