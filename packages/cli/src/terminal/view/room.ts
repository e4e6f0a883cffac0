// What a view is told besides what it shows.

import type { RenderMarkdown } from "./markdown.ts";
import type { Paint } from "./paint.ts";

export interface ViewRoom {
  readonly width: number;
  readonly paint: Paint;
  readonly markdown: RenderMarkdown;
  /** Paths inside it are shown without it. */
  readonly cwd: string;
  /** Whether thoughts show what was thought, and calls what they did. */
  readonly opens: { readonly thoughts: boolean; readonly calls: boolean };
}

/** How long something took, or that it has not ended; nothing where nobody watched. */
export type Span = { readonly type: "running" } | { readonly type: "took"; readonly ms: number } | undefined;

/** What took less is not worth telling. */
export const SHORT_MS = 100;

/** A path as a person in that folder would write it. */
export function shortPath(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** The same for every path in a text; one that only contains the folder's name is another's. */
export function shortPaths(text: string, cwd: string): string {
  return text
    .split(`${cwd}/`)
    .reduce((before, after) => (/(?:^|[\s"'`(=])$/.test(before) ? before + after : `${before}${cwd}/${after}`));
}
