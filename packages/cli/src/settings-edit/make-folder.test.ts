import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "agentao-make-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("makes a folder and those above it, and leaves one that is there", () => {
  const path = join(folder, "a/b/c");
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  expect([path, join(folder, "a")].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("says what is in the way", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(folder, "file/below"))).toThrow("ENOTDIR");
});

test.skipIf(process.platform !== "linux")("gives up where nothing can be made", () => {
  expect(() => makeFolder("/proc/agentao/home")).toThrow("ENOENT");
});
