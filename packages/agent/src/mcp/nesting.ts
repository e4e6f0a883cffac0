// How deep a value is nested, found without nesting ourselves: what a stranger sends must not use up our stack.

/** Looks level by level, and no further than it has to. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
