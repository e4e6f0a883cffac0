import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openLog } from "./log.ts";

const folder = mkdtempSync(join(tmpdir(), "agentao-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("writes a line for the person alone, without secrets, into a folder that it makes", () => {
  const home = join(folder, "a/home");
  openLog({}, home)("it failed with API_KEY=abcdef123456");
  const path = join(home, "agentao.log");
  const { message, pid } = JSON.parse(readFileSync(path, "utf8"));
  expect({ message, pid }).toEqual({ message: "it failed with API_KEY=[redacted]", pid: process.pid });
  expect([statSync(path).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o600, 0o700]);
});

test.each(["/proc/agentao/home", "/dev/null/home"])(
  "is no reason to stop, or to wait, where %s cannot be made",
  (home) => {
    expect(() => openLog({}, home)("nobody reads this")).not.toThrow();
  },
);
