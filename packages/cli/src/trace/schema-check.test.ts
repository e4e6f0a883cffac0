import { v1 } from "@agentao/acp";
import { expect, test } from "vitest";
import { checkValue } from "./schema-check.ts";

const newSession = v1.methods.find(({ method }) => method === "session/new")?.params ?? (() => undefined);
const check = (params: object) => checkValue("bad-params", "session/new", newSession, params);

test("tells where, what was expected, and what came", () => {
  expect(check({ cwd: "/", mcpServers: [] })).toBeUndefined();
  expect(check({ cwd: 7, mcpServers: [] })).toEqual({
    rule: "bad-params",
    message: "session/new: /cwd: expected a string, got 7",
  });
});

test("what came is shown without its secrets, and not at any length", () => {
  const { message = "" } = check({ cwd: { apiKey: "hunter22", text: "x".repeat(500) }, mcpServers: [] }) ?? {};
  expect(message).not.toContain("hunter22");
  expect(message).toContain('got {"apiKey":"[redacted]","text":"xxx');
  expect(message.length).toBeLessThan(200);
});
