// Paths against patterns of paths that would keep a regular expression busy for hours: name by name, without ever going
// back. Pure.

import { type NameMatcher, toNameMatcher } from "./wildcard.ts";

type Segment = typeof FOLDERS | NameMatcher;

const FOLDERS = Symbol("**");

/** For patterns without groups; `**` is any number of folders. */
export function toPathMatcher(pattern: string, { dotfiles }: { readonly dotfiles: "named" | "all" }): NameMatcher {
  const isHidden = (name: string): boolean => dotfiles === "named" && name.startsWith(".");
  // What is below any folder is not a file beside them; what is below a named one may be what has that name.
  const whole = pattern.replace(/^(?:\.\/+)+/, "").replace(/(?<!\*)\*(?:\/\*\*)+$/, "$&/*");
  const segments = whole.split("/").map((segment): Segment => {
    if (segment === "**") return FOLDERS;
    const matches = toNameMatcher(segment);
    const isDotNamed = /^\\?\./.test(segment);
    return (name) => (isDotNamed || !isHidden(name)) && matches(name);
  });
  return (path) => follow(segments, path.split("/"), isHidden);
}

/** All places in the pattern where one can be after a name, at once. */
function follow(segments: readonly Segment[], names: readonly string[], isHidden: NameMatcher): boolean {
  let places = reach(segments, [0]);
  for (const name of names) {
    const next: number[] = [];
    for (const place of places) {
      const segment = segments[place];
      if (segment === FOLDERS) {
        if (!isHidden(name)) next.push(place);
      } else if (segment?.(name)) next.push(place + 1);
    }
    places = reach(segments, next);
    if (places.size === 0) return false;
  }
  return places.has(segments.length);
}

/** `**` may be no folder at all. */
function reach(segments: readonly Segment[], from: readonly number[]): Set<number> {
  const places = new Set(from);
  for (const place of places) if (segments[place] === FOLDERS) places.add(place + 1);
  return places;
}
