// How long one event of a stream may become: libraries keep its bytes until its end, and an end need not come.

const MAX_EVENT_BYTES = 32 * 1024 * 1024;

export class OverlongError extends Error {
  override readonly name = "OverlongError";

  constructor() {
    super(`an event of more than ${MAX_EVENT_BYTES / 1024 / 1024} MB`);
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** For the chunks of one response, in order. Throws an `OverlongError`. */
export function boundEvents(maxBytes: number = MAX_EVENT_BYTES): (chunk: Uint8Array) => void {
  let openBytes = 0;
  /** Whether all that came since the last line feed is a carriage return, or nothing. */
  let isAtLineStart = false;
  return (chunk) => {
    // The usual case, and quick.
    if (chunk[chunk.length - 1] === LINE_FEED && chunk[chunk.length - 2] === LINE_FEED) {
      openBytes = 0;
      isAtLineStart = true;
      return;
    }
    const end = eventEnd(chunk, isAtLineStart);
    openBytes = end === -1 ? openBytes + chunk.length : chunk.length - end;
    if (openBytes > maxBytes) throw new OverlongError();
    isAtLineStart = endsLine(chunk, isAtLineStart);
  };
}

/** Behind the last empty line. */
function eventEnd(chunk: Uint8Array, isAtLineStart: boolean): number {
  for (let at = chunk.lastIndexOf(LINE_FEED); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(LINE_FEED, at - 1)) {
    const before = chunk[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (before < 0 ? isAtLineStart : chunk[before] === LINE_FEED) return at + 1;
  }
  return -1;
}

function endsLine(chunk: Uint8Array, wasAtLineStart: boolean): boolean {
  const { length } = chunk;
  const last = chunk[length - 1] === CARRIAGE_RETURN ? length - 2 : length - 1;
  return last < 0 ? wasAtLineStart : chunk[last] === LINE_FEED;
}
