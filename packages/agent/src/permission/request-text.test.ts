// What is written down of a request.

import { describe, expect, test } from "vitest";
import type { Effect, PermissionRequest } from "./request.ts";
import { describeRequest } from "./request-text.ts";

function request(effect: Effect): PermissionRequest {
  return {
    callId: "call_1" as PermissionRequest["callId"],
    tool: "a_tool",
    input: {},
    effect,
    title: "a title",
    kind: "other",
    locations: [],
    content: [],
  };
}

const told = (command: string): string => describeRequest(request({ type: "command", command, cwd: "/repo" }));

test.each<[Effect, string]>([
  [{ type: "command", command: "npm test", cwd: "/repo" }, "npm test"],
  [{ type: "fetch", url: "https://example.com/a" }, "https://example.com/a"],
  [{ type: "write", paths: ["/repo/a", "/repo/b"] }, "/repo/a, /repo/b"],
  [{ type: "write", paths: [] }, "a title"],
  [{ type: "read", paths: ["/repo/a"] }, "/repo/a"],
  [{ type: "session" }, "a title"],
  [{ type: "other", readOnly: false }, "a title"],
])("%j is told as %s", (effect, text) => {
  expect(describeRequest(request(effect))).toBe(text);
});

describe("a secret is not told", () => {
  test.each([
    ["curl -H 'Authorization: Bearer abc.def-123'", "curl -H 'Authorization: [redacted]'"],
    ["OPENAI_API_KEY=sk-proj-abcdefgh1234 npm test", "OPENAI_API_KEY=[redacted] npm test"],
    ["git push https://me:hunter22@example.com/x", "git push https://me:[redacted]@example.com/x"],
    ["echo ghp_abcdefghijklmnop", "echo [redacted]"],
    ["mysql --password=hunter22 x", "mysql --password=[redacted] x"],
    ["curl 'https://a.example/?token=abcdefg&x=1'", "curl 'https://a.example/?token=[redacted]&x=1'"],
    ["aws x AKIAABCDEFGHIJKLMNOP", "aws x [redacted]"],
  ])("%s", (command, text) => {
    expect(told(command)).toBe(text);
  });

  test.each(["npm test", "git commit -m 'token bucket'", "cat key.txt", "ls sk-learn"])(
    "and %s holds none",
    (command) => {
      expect(told(command)).toBe(command);
    },
  );
});

test("a long one is bounded, and ends in whole characters", () => {
  expect(told("x".repeat(501))).toBe(`${"x".repeat(499)}…`);
  expect(told(`${"x".repeat(498)}\u{1f600}y`)).toBe(`${"x".repeat(498)}…`);
  expect(told("x".repeat(500))).toBe("x".repeat(500));
});
