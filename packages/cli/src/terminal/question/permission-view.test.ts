import type { RequestPermissionRequest } from "@agentao/acp";
import { expect, test } from "vitest";
import { createMarkdown } from "../view/markdown.ts";
import { createPaint } from "../view/paint.ts";
import { permissionChoices, permissionView, refusalOf } from "./permission-view.ts";

const paint = createPaint(false);
const room = (width: number) => ({
  width,
  paint,
  markdown: createMarkdown(paint),
  cwd: "/w",
  opens: { thoughts: false, calls: false },
});

function request(toolCall: Partial<RequestPermissionRequest["toolCall"]>): RequestPermissionRequest {
  return {
    sessionId: "s",
    toolCall: { toolCallId: "c", ...toolCall },
    options: [
      { optionId: "a", name: "Allow once", kind: "allow_once" },
      { optionId: "r", name: "Reject once", kind: "reject_once" },
    ],
  };
}

test.each<[string, RequestPermissionRequest, number, string[]]>([
  [
    "a command by its title",
    request({ title: "npm test", rawInput: { command: "npm test" } }),
    40,
    ["? Allow: npm test"],
  ],
  [
    "a command to the letter, once",
    request({ title: "rm /w/a", rawInput: { command: "rm /w/a" } }),
    40,
    ["? Allow: rm /w/a"],
  ],
  [
    "a title of several lines",
    request({ title: "Delete everything that was ever written" }),
    24,
    ["? Allow: Delete", "  everything that was", "  ever written"],
  ],
  [
    "a command of several lines, whole",
    request({ title: "echo a echo b", rawInput: { command: "echo a\necho b" } }),
    40,
    ["? Allow: echo a echo b", "  $ echo a", "  echo b"],
  ],
  [
    "a command that its title hides",
    request({ title: "List files", rawInput: { command: "rm -r x\u001b[2K" } }),
    40,
    ["? Allow: List files", "  $ rm -r x"],
  ],
  [
    "a diff",
    request({ title: "Edit /w/a.ts", content: [{ type: "diff", path: "/w/a.ts", oldText: "a\n", newText: "b\n" }] }),
    40,
    ["? Allow: Edit a.ts", "  1 - a", "  1 + b"],
  ],
  [
    "a diff of a file that the title does not name",
    request({ title: "Edit 2 files", content: [{ type: "diff", path: "/w/a.ts", newText: "b\n" }] }),
    40,
    ["? Allow: Edit 2 files", "  a.ts", "  1 + b"],
  ],
  ["what has no title", request({}), 40, ["? Allow: c"]],
])("shows %s", (_, asked, width, lines) => {
  expect(permissionView(asked, room(width), 20)).toEqual(lines);
});

test("says how much of a long diff is missing", () => {
  const newText = Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join("");
  const lines = permissionView(
    request({ title: "Write", content: [{ type: "diff", path: "/w/a", newText }] }),
    room(60),
    5,
  );
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toBe("  … 48 more lines; Ctrl+O shows all");
});

test("refuses once where that is offered", () => {
  expect(refusalOf(request({}))).toBe("r");
  expect(refusalOf({ ...request({}), options: [] })).toBeUndefined();
});

test.each<[string, unknown, string, string]>([
  ["inside the folder short", undefined, "writing `/w/.env` and `/w/a b`", "writing `.env` and `a b`"],
  ["outside of it whole", undefined, "writing `/v/w/.env` and `/work`", "writing `/v/w/.env` and `/work`"],
  ["in a command to the letter", { command: "rm /w/x" }, "exactly `rm /w/x`", "exactly `rm /w/x`"],
])("shows paths in the answers: %s", (_, rawInput, name, label) => {
  const asked = { ...request({ rawInput }), options: [{ optionId: "a", name, kind: "allow_always" as const }] };
  expect(permissionChoices(asked, "/w")).toEqual([{ id: "a", label }]);
});
