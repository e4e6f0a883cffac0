// Bytes to lines. A line that is too long is passed over, without being kept, and said to be.

const NEWLINE = 0x0a;

export interface LineSink {
  line(text: string): void;
  /** One for each line that was passed over. */
  tooLong(maxBytes: number): void;
}

export interface LineReader {
  read(chunk: Uint8Array): void;
  /** What came after the last newline, when there will be no more. */
  end(): void;
}

export function createLineReader(sink: LineSink, maxBytes: number): LineReader {
  let pieces: Uint8Array[] = [];
  let bytes = 0;

  const keep = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes > maxBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const finish = (): void => {
    const isTooLong = bytes > maxBytes;
    const whole = pieces.length === 1 ? Buffer.from(pieces[0] as Uint8Array) : Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    if (isTooLong) sink.tooLong(maxBytes);
    else sink.line(whole.toString("utf8").replace(/\r$/, ""));
  };

  return {
    read(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
      }
      keep(chunk.subarray(start));
    },
    end() {
      if (bytes > 0) finish();
    },
  };
}
