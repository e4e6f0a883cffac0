// Output for somebody who watches: the first piece at once, then what came together since, a dozen times a second.

export interface LiveOutput {
  write(text: string): void;
  /** Gives out the rest. */
  end(): void;
}

const PAUSE_MS = 75;
/** Nobody reads more than this at once; what is over is named. */
const MAX_PIECE_CHARS = 16 * 1024;

export function createLiveOutput(onOutput: ((text: string) => void) | undefined): LiveOutput {
  if (onOutput === undefined) return { write: () => {}, end: () => {} };
  let pending = "";
  let skipped = 0;
  let timer: NodeJS.Timeout | undefined;

  const giveOut = (): void => {
    timer = undefined;
    if (pending === "") return;
    const piece =
      skipped === 0 ? pending : `\n[… ${skipped.toLocaleString("en-US")} characters not shown …]\n${pending}`;
    pending = "";
    skipped = 0;
    timer = setTimeout(giveOut, PAUSE_MS);
    onOutput(piece);
  };

  return {
    write(text) {
      pending += text;
      if (pending.length > 2 * MAX_PIECE_CHARS) {
        const kept = pending.slice(-MAX_PIECE_CHARS).replace(/^[\udc00-\udfff]/, "");
        skipped += pending.length - kept.length;
        pending = kept;
      }
      if (timer === undefined) giveOut();
    },
    end() {
      clearTimeout(timer);
      giveOut();
      clearTimeout(timer);
    },
  };
}
