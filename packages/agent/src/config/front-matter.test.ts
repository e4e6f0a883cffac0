import fc from "fast-check";
import { expect, test } from "vitest";
import { stripFrontMatter } from "./front-matter.ts";

test.each([
  ["a block", "---\nname: x\ntags:\n  - a\n---\n# Title\n", "# Title\n"],
  ["a block with Windows lines", "---\r\nname: x\r\n---\r\n# Title\r\n", "# Title\r\n"],
  ["a byte order mark", "\uFEFF# Title\n", "# Title\n"],
  ["a byte order mark before a block", "\uFEFF---\nname: x\n---\n# Title\n", "# Title\n"],
  ["an empty block", "---\n---\n# Title\n", "# Title\n"],
  ["a block that ends in dots", "--- \nname: x\n...\n# Title\n", "# Title\n"],
  ["a block that ends the file", "---\nname: x\n---", ""],
  ["a block that begins with a comment", "---\n# for tools\n\n'name': x\n---\nBody", "Body"],
])("removes %s", (_, text, body) => {
  expect(stripFrontMatter(text)).toBe(body);
});

test.each([
  ["a block that never ends", "---\nname: x\n# Title\n"],
  ["prose between two rules", "---\nAlways use tabs.\n\n---\nNever use spaces.\n"],
  ["a block further down", "# Title\n---\nname: x\n---\n"],
  ["a longer rule", "-----\nname: x\n-----\n"],
])("keeps %s", (_, text) => {
  expect(stripFrontMatter(text)).toBe(text);
});

test("keeps whatever stands behind the block", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (body) => {
      expect(stripFrontMatter(`---\nname: x\n---\n${body}`)).toBe(body);
    }),
  );
});

test("takes no longer on a long file that only looks like a block", () => {
  const text = `---\nname: x\n${"-- -\n".repeat(100_000)}`;
  expect(stripFrontMatter(text)).toBe(text);
});
