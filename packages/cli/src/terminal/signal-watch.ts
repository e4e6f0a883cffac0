// Ctrl+C as more than the end, where the terminal itself makes a signal of it. The program hears of the first signal only,
// by aborting; those that follow an interrupt are heard here.

export interface SignalActs {
  interrupt(): void;
  leave(): void;
}

/** Until the function it answers is called. */
export function watchSignals(first: AbortSignal, { interrupt, leave }: SignalActs): () => void {
  const acts = [
    ["SIGINT", interrupt],
    ["SIGTERM", leave],
    ["SIGHUP", leave],
  ] as const;
  const hear = (): void => {
    const isInterrupt = first.reason === "SIGINT";
    if (isInterrupt) for (const [name, act] of acts) process.on(name, act);
    if (isInterrupt) interrupt();
    else leave();
  };
  first.addEventListener("abort", hear, { once: true });
  return () => {
    first.removeEventListener("abort", hear);
    for (const [name, act] of acts) process.off(name, act);
  };
}
