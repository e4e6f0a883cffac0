import { redact } from "@agentao/agent/program";
import { expect, test } from "vitest";
import { redactFrame, redactText } from "./redact-frame.ts";

test("hides values of env and headers, in lists and in objects, and keeps their names", () => {
  const params = {
    mcpServers: [
      { name: "db", command: "db", args: ["--dsn", "x"], env: [{ name: "PASS", value: "hunter22" }] },
      { type: "http", name: "web", url: "https://x", headers: [{ name: "X-Key", value: "hunter22" }] },
    ],
    headers: { "X-Key": "hunter22" },
    env: [{ name: "EMPTY" }, 7],
  };
  expect(redactFrame({ jsonrpc: "2.0", id: 1, method: "session/new", params })).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "session/new",
    params: {
      mcpServers: [
        { name: "db", command: "db", args: ["--dsn", "x"], env: [{ name: "PASS", value: "[redacted]" }] },
        { type: "http", name: "web", url: "https://x", headers: [{ name: "X-Key", value: "[redacted]" }] },
      ],
      headers: { "X-Key": "[redacted]" },
      env: [{ name: "EMPTY" }, "[redacted]"],
    },
  });
});

test("hides what is named a secret, and what looks like one", () => {
  const frame = { apiKey: "plainword", password: "plainword", text: "use sk-abcdefgh12345678 now", totalTokens: 12 };
  expect(redactFrame(frame)).toEqual({
    apiKey: "[redacted]",
    password: "[redacted]",
    text: "use [redacted] now",
    totalTokens: 12,
  });
});

test("does not touch what it was given, nor names such as __proto__", () => {
  const frame = JSON.parse('{"__proto__":{"env":{"A":"b"}},"x":1}');
  expect(JSON.stringify(redactFrame(frame))).toBe('{"__proto__":{"env":{"A":"[redacted]"}},"x":1}');
  expect(JSON.stringify(frame)).toBe('{"__proto__":{"env":{"A":"b"}},"x":1}');
});

test("long texts lose nothing but their secrets, and take no time that grows faster than they do", () => {
  const line = "an ordinary line of text, as tools write them\n";
  const long = line.repeat(20_000);
  expect(redactText(long)).toBe(long);
  expect(redactText(`${long}Bearer abcdefgh12345678\n${long}`)).toBe(`${long}[redacted]\n${long}`);
  expect(redactText(`${long}{"key":"eyJ${"x".repeat(20)}.${"y".repeat(3000)}.z","a":1}`)).toBe(
    `${long}{"key":"[redacted]","a":1}`,
  );
  const nasty = "a-".repeat(50_000);
  expect(redactText(nasty)).toBe(nasty);
  const words = "ab-c ".repeat(1024 * 1024);
  expect(redactText(words)).toBe(words);
});

test("a value nested without end is cut, and not a reason to fail", () => {
  let deep: unknown = "x";
  for (let i = 0; i < 1000; i++) deep = [deep];
  expect(JSON.stringify(redactFrame(deep))).toContain("[nested too deep]");
});

test("hides what only its place shows: in _meta, in JSON within a text, after an option, in an address", () => {
  const frame = {
    _meta: { "x/token": "plainword", credentials: { user: "ann", pin: ["plainword"] }, count: 3 },
    rawInput: JSON.stringify({ body: JSON.stringify({ headers: { "X-Key": "hunter22" }, a: 1 }), b: "c" }),
    args: ["--api-key", "hunter22", "--verbose", "--token", "--next"],
    url: "postgres://ann:hunter22@db.example/x",
    option: { name: "GITHUB_TOKEN", value: "hunter22" },
    httpHeaders: { "X-Key": "hunter22" },
  };
  expect(redactFrame(frame)).toEqual({
    _meta: { "x/token": "[redacted]", credentials: { user: "[redacted]", pin: ["[redacted]"] }, count: 3 },
    rawInput: JSON.stringify({ body: JSON.stringify({ headers: { "X-Key": "[redacted]" }, a: 1 }), b: "c" }),
    args: ["--api-key", "[redacted]", "--verbose", "--token", "--next"],
    url: "postgres://ann:[redacted]@db.example/x",
    option: { name: "GITHUB_TOKEN", value: "[redacted]" },
    httpHeaders: { "X-Key": "[redacted]" },
  });
});

test("JSON in a text keeps its shape where there is nothing to hide", () => {
  const text = '{ "a":  1,\n  "b": [true] }';
  expect(redactText(text)).toBe(text);
});

test.each([
  "sk-proj-abcdefgh12345678",
  "AIzaSyA0123456789abcdefghijk",
  "AKIA0123456789ABCDEF",
  "ghp_0123456789abcdefABCD",
  "xoxb-0123456789-abcdef",
  "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
  "Basic dXNlcjpwYXNz",
  "-----BEGIN EC PRIVATE KEY-----\nMII",
  "DB_PASSWORD=hunter22",
])("finds what the program's own redaction finds: %s", (secret) => {
  expect(redact(secret)).toContain("[redacted]");
  expect(redactText(`before ${secret}`)).toBe(redact(`before ${secret}`));
});
