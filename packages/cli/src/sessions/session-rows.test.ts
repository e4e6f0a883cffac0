import type { ListedSession, SessionId } from "@agentao/agent";
import { expect, test } from "vitest";
import { columnsOf } from "../text/columns.ts";
import { toRows } from "./session-rows.ts";

function listed(id: string, cwd: string, title?: string): ListedSession {
  const at = Date.now();
  return { id: id as SessionId, cwd, createdAt: at, updatedAt: at, ...(title !== undefined && { title }) };
}

const some = [
  listed("sess_aaaa1111", "/home/me/project", "Fix the login test"),
  listed("sess_bbbb2222", `/very/long/${"目录/".repeat(20)}end`, "请修复登录测试".repeat(20)),
  listed("sess_cccc3333", "/home/me/project"),
];

test("titles stand in one column, whatever the letters of the folders are", () => {
  const [first = "", second = ""] = toRows(some, { withFolder: true }).split("\n");
  expect(columnsOf(first.slice(0, first.indexOf("Fix")))).toBe(columnsOf(second.slice(0, second.indexOf("请"))));
  expect(second).toContain("end  请");
});

test.each([30, 40, 80, 120])("no line is wider than a terminal of %i columns", (columns) => {
  for (const withFolder of [true, false]) {
    const lines = toRows(some, { withFolder, columns }).split("\n");
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
  }
});

test("a title cannot move the cursor", () => {
  expect(toRows([listed("sess_1", "/", "a\u001b[2Jb\nc")], { withFolder: false })).toMatch(/ {2}ab c\n$/);
});
