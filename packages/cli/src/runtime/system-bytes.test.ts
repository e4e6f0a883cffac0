import { expect, test } from "vitest";
import { systemBytes } from "./system-bytes.ts";

test("so many bytes, and others each time", () => {
  const made = Array.from({ length: 50 }, () => Buffer.from(systemBytes(16)).toString("hex"));
  expect(new Set(made).size).toBe(50);
  expect(made.every((one) => /^[0-9a-f]{32}$/.test(one))).toBe(true);
  expect(systemBytes(6)).toHaveLength(6);
});
