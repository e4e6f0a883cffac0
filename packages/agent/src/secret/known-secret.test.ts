import { expect, test } from "vitest";
import { bareValue, decoded, spellingsOf, toSecrets, withoutSecrets } from "./known-secret.ts";

test("looks for what is long enough, once, the longest first", () => {
  expect(toSecrets(["short", "abcdef", "abcdefgh", "abcdef"])).toEqual(["abcdefgh", "abcdef"]);
  expect(withoutSecrets("abcdefgh and abcdef", ["abcdefgh", "abcdef"])).toBe("[redacted] and [redacted]");
});

test("knows how a value is written elsewhere", () => {
  expect(spellingsOf('a"b c')).toEqual(['a"b c', "a%22b%20c", 'a\\"b c']);
  expect(spellingsOf("a\ud800")).toEqual(["a\ud800", "a\ud800", "a\\ud800"]);
  expect(["Bearer abc", " token abc", "abc"].map(bareValue)).toEqual(["abc", "abc", "abc"]);
  expect(["a%21", "100%"].map(decoded)).toEqual(["a!", "100%"]);
});
