// Where two JSON values differ first, as a path. For telling what a decoder had to repair.

import { isFields } from "../json/fields.ts";

/** Nothing when they are the same. */
export function firstDifference(a: unknown, b: unknown, path = ""): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return path;
    for (let i = 0; i < a.length; i++) {
      const found = firstDifference(a[i], b[i], `${path}/${i}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isFields(a) || !isFields(b)) return path;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
