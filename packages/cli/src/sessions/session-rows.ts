// A list of sessions for a terminal, a line each.

import type { ListedSession } from "@agentao/agent";
import { columnsOf, fitTo, padTo } from "../text/columns.ts";
import { toLine } from "../text/plain.ts";
import { toAge } from "../text/when.ts";
import { shortLength } from "./folder.ts";

export interface RowOptions {
  readonly withFolder: boolean;
  /** Of the terminal, where there is one: no line is wider. */
  readonly columns?: number | undefined;
}

const MAX_TITLE = 80;
const MAX_FOLDER = 60;
const AGE = 9;
const GAP = 2;

/** Where there is less, the folder is left out. */
const MIN_ROOM = 40;

export function toRows(listed: readonly ListedSession[], options: RowOptions): string {
  const { columns } = options;
  const now = Date.now();
  const short = shortLength(listed.map(({ id }) => id));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - short - AGE - 2 * GAP;
  const withFolder = options.withFolder && room >= MIN_ROOM;
  const folders = withFolder ? listed.map(({ cwd }) => toLine(cwd, 500)) : [];
  // A narrow terminal is shared: what it is about says more than where.
  const widest = Math.min(MAX_FOLDER, Math.floor(room * 0.4), Math.max(0, ...folders.map(columnsOf)));
  const titleRoom = Math.max(0, Math.min(MAX_TITLE, withFolder ? room - widest - GAP : room));
  return listed
    .map(({ id, title, updatedAt }, at) => {
      const folder = withFolder ? [padTo(fitEnd(folders[at] ?? "", widest), widest)] : [];
      const age = toAge(now - updatedAt).padEnd(AGE);
      const cells = [id.slice(0, short).padEnd(short), age, ...folder, fitTo(toLine(title ?? "", 500), titleRoom)];
      return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
    })
    .join("");
}

/** Of a path the end says most. */
function fitEnd(path: string, columns: number): string {
  if (columnsOf(path) <= columns) return path;
  let kept = path;
  while (kept !== "" && columnsOf(kept) >= columns) kept = kept.slice(1);
  return columns < 1 ? "" : `…${kept}`;
}
