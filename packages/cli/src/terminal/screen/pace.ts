// How often the screen is painted for what streams in: often enough to look alive, and never so often that painting is
// most of what the program does. What a person types is painted at once, and does not come through here.

/** Thirty frames a second; more are not seen. */
const FRAME_MS = 33;
/** A picture that is dear to paint may be so late at most. */
const MOST_FRAME_MS = 250;
/** Of the time, painting takes a fifth at most. */
const REST_PER_WORK = 4;

export interface Pace {
  /** Something has changed. Whatever changes until the frame comes is in the same frame. */
  ask(): void;
  /** So long the last frame took to make. */
  took(ms: number): void;
  /** No frame comes any more that was asked for. */
  stop(): void;
}

export function createPace(paint: () => void, now: () => number): Pace {
  let timer: NodeJS.Timeout | undefined;
  let earliest = Number.NEGATIVE_INFINITY;
  let frameMs = FRAME_MS;
  return {
    ask: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          earliest = now() + frameMs;
          paint();
        },
        Math.max(0, earliest - now()),
      );
    },
    took: (ms) => {
      frameMs = Math.min(MOST_FRAME_MS, Math.max(FRAME_MS, ms * REST_PER_WORK));
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
