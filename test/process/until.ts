// Waiting for what will come true, without knowing when.

/** Nothing in these tests takes so long, however busy the machine is. */
export const PATIENCE_MS = 25_000;
const LOOK_MS = 10;

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what = "it does not come true",
  withinMs = PATIENCE_MS,
): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await isSo()); await pause(LOOK_MS)) {
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
