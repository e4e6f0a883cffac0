import type { ListedSession, SessionId } from "@agentao/agent";
import { expect, test } from "vitest";
import { chooseOld } from "./choose-old.ts";
import { shortLength } from "./folder.ts";

const session = (id: string, updatedAt: number): ListedSession => ({
  id: id as SessionId,
  cwd: "/",
  createdAt: 0,
  updatedAt,
});
const all = [session("new", 95), session("old", 40), session("older", 20), session("oldest", 10)];

test.each<[number, number, string[]]>([
  [50, 0, ["oldest", "older", "old"]],
  [60, 0, ["oldest", "older"]],
  [50, 2, ["oldest", "older"]],
  [50, 9, []],
  [0, 0, ["oldest", "older", "old", "new"]],
])("older than %i, keeping %i", (olderThanMs, keep, ids) => {
  expect(chooseOld(all, { olderThanMs, keep, now: 100 }).map(({ id }) => id)).toEqual(ids);
});

test("cuts ids short only as far as they differ", () => {
  expect(shortLength([])).toBe(13);
  expect(shortLength(["sess_0123456789", "sess_1123456789"])).toBe(13);
  expect(shortLength(["sess_0123456789", "sess_0123456788"])).toBe(15);
});
