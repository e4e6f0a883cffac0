import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionId } from "../id/id.ts";
import type { ListedSession } from "./digest.ts";
import { byNewest, type Listing, toPage } from "./page.ts";

const session = (id: string, updatedAt: number, cwd = "/a"): ListedSession => ({
  id: id as SessionId,
  cwd,
  createdAt: 0,
  updatedAt,
});

test("is fifty sessions long, and five hundred at most", () => {
  const all = Array.from({ length: 600 }, (_, place) => session(`s${place}`, 1000 - place));

  const lengths = [undefined, 1, 0, -5, 2.5, 500, 5000].map((limit) => page(toPage(all, { limit })).sessions.length);

  expect(lengths).toEqual([50, 1, 1, 1, 2, 500, 500]);
});

test("has a cursor exactly when there is more", () => {
  const all = [session("a", 3), session("b", 2), session("c", 1, "/b")];

  const cursors = [2, 3].map((limit) => page(toPage(all, { limit })).nextCursor !== undefined);

  expect(cursors).toEqual([true, false]);
  expect(page(toPage(all, { limit: 2, cwd: "/a" })).nextCursor).toBeUndefined();
});

test("holds only the sessions of one working directory, if asked to", () => {
  const all = [session("a", 3, "/a"), session("b", 2, "/a/b"), session("c", 1, "/a")];

  expect(page(toPage(all, { cwd: "/a" })).sessions.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(toPage(all, { cwd: "/nowhere" })).toEqual({ type: "page", sessions: [] });
});

test("follows page by page to each session once, while others are added", () => {
  const times = fc.array(fc.nat(5), { maxLength: 20 });
  fc.assert(
    fc.property(times, times, fc.integer({ min: 1, max: 6 }), (before, added, limit) => {
      const first = before.map((time, place) => session(`old${place}`, time)).sort(byNewest);
      const later = [...first, ...added.map((time, place) => session(`new${place}`, time))].sort(byNewest);
      const seen: string[] = [];
      let current = page(toPage(first, { limit }));
      for (;;) {
        seen.push(...current.sessions.map(({ id }) => id));
        if (current.nextCursor === undefined) break;
        current = page(toPage(later, { limit, cursor: current.nextCursor }));
      }

      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => id.startsWith("old"))).toEqual(first.map(({ id }) => id));
    }),
  );
});

describe("a cursor that is none of ours", () => {
  test.each(["", "x", "!!!", "bm9wZQ", Buffer.from("1/../../etc").toString("base64url")])("%j is told so", (cursor) => {
    expect(toPage([session("a", 1)], { cursor })).toEqual({ type: "invalid-cursor" });
  });
});

function page(listing: Listing): Extract<Listing, { type: "page" }> {
  if (listing.type !== "page") throw new Error(listing.type);
  return listing;
}
