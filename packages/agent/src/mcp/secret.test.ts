import { expect, test } from "vitest";
import { createRedaction } from "./secret.ts";

const stdio = (env: Record<string, string>) => createRedaction({ type: "stdio", command: "x", args: [], env });
const http = (url: string, headers: Record<string, string> = {}) => createRedaction({ type: "http", url, headers });

test.each([
  { name: "a value", redaction: stdio({ TOKEN: "s3cr3t!" }), given: "bad s3cr3t!", want: "bad [redacted]" },
  { name: "not a word", redaction: stdio({ LEVEL: "debug" }), given: "in debug", want: "in debug" },
  { name: "not a habit", redaction: stdio({ NODE_ENV: "production" }), given: "production", want: "production" },
  { name: "the longer first", redaction: stdio({ A: "abcdef", B: "abcdefgh" }), given: "abcdefgh", want: "[redacted]" },
  {
    name: "a header",
    redaction: http("http://x", { Authorization: "Bearer tok-en-1" }),
    given: "tok-en-1",
    want: "[redacted]",
  },
  { name: "an escaped one", redaction: stdio({ KEY: 'a"b c&d' }), given: "a%22b%20c%26d", want: "[redacted]" },
  {
    name: "a parameter",
    redaction: http("http://x/?api_key=abc123xyz&q=readable"),
    given: "abc123xyz readable",
    want: "[redacted] readable",
  },
  { name: "a password", redaction: http("http://u:pass%21word@x/"), given: "pass!word", want: "[redacted]" },
])("hides $name", ({ redaction, given, want }) => {
  expect(redaction.said(given)).toBe(want);
});

test("leaves places in results, and hides them from the log", () => {
  const redaction = stdio({ FOLDER: "/home/me/docs", API_KEY: "/looks/like/a/place", OTHER: "Zk9-x82-Qq" });

  expect(redaction.told("/home/me/docs /looks/like/a/place Zk9-x82-Qq")).toBe("/home/me/docs [redacted] [redacted]");
  expect(redaction.said("/home/me/docs")).toBe("[redacted]");
});
