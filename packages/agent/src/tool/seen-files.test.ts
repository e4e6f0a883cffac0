import fc from "fast-check";
import { expect, test } from "vitest";
import { createSeenFiles, fingerprintOf } from "./seen-files.ts";

test("knows a file by the text it had last", () => {
  const seen = createSeenFiles();
  expect(seen.fingerprint("/a")).toBeUndefined();

  seen.note("/a", "one");
  seen.note("/a", "two");

  expect(seen.fingerprint("/a")).toBe(fingerprintOf("two"));
});

test("forgets the files seen longest ago", () => {
  const seen = createSeenFiles();
  for (let file = 0; file < 10_000; file++) seen.note(`/${file}`, "");
  seen.note("/0", "");
  seen.note("/new", "");

  expect([seen.fingerprint("/1"), seen.fingerprint("/0"), seen.fingerprint("/new")]).toEqual([
    undefined,
    fingerprintOf(""),
    fingerprintOf(""),
  ]);
});

test("tells texts apart", () => {
  expect(new Set(["a", "b", "aa", "\u0161", "\u6161", "ab", "ba", "a\0"].map(fingerprintOf)).size).toBe(8);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(fingerprintOf(a) === fingerprintOf(b)).toBe(a === b);
    }),
  );
});
