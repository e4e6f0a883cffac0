// A list that comes in pages, read to its end or to where it goes beyond all reason.

import { fieldsOf } from "../json/fields.ts";
import { Failure } from "./failure.ts";

const MAX_PAGES = 100;
export const MAX_ITEMS = 1_024;
export const MAX_CURSOR_BYTES = 64 * 1024;

export interface ReadList {
  readonly items: readonly unknown[];
  /** There were more than we keep. */
  readonly isCut: boolean;
}

/** Rejects with a `Failure` when pages lead nowhere. */
export async function readList(
  field: "tools" | "prompts",
  readPage: (params: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<ReadList> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = fieldsOf(await readPage(cursor === undefined ? {} : { cursor }));
    const found = answer[field];
    if (!Array.isArray(found)) throw new Failure("refused", `its list of ${field} is no list`);
    items.push(...found.slice(0, MAX_ITEMS + 1 - items.length));
    if (items.length > MAX_ITEMS) return { items: items.slice(0, MAX_ITEMS), isCut: true };
    const next = answer.nextCursor;
    if (typeof next !== "string" || next === "") return { items, isCut: false };
    if (Buffer.byteLength(next) > MAX_CURSOR_BYTES)
      throw new Failure("refused", `a cursor of its ${field} is too long`);
    if (seen.has(next)) throw new Failure("refused", `its list of ${field} goes round in circles`);
    seen.add(next);
    cursor = next;
  }
  throw new Failure("refused", `its list of ${field} has more than ${MAX_PAGES} pages`);
}
