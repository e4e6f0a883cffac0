import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteWord, splitWords } from "./split-words.ts";

test.each<[string, string[]]>([
  ["agent", ["agent"]],
  ["  npx   tsx agent.ts --acp ", ["npx", "tsx", "agent.ts", "--acp"]],
  [`a "b c" 'd e'`, ["a", "b c", "d e"]],
  [`a"b"'c'd`, ["abcd"]],
  [`a ''`, ["a", ""]],
  [String.raw`a\ b c\"d`, ["a b", 'c"d']],
  [String.raw`"a\"b" "a\nb" 'a\nb'`, ['a"b', String.raw`a\nb`, String.raw`a\nb`]],
  ["echo $HOME | cat", ["echo", "$HOME", "|", "cat"]],
])("splits %s", (line, words) => {
  expect(splitWords(line)).toEqual({ type: "words", words });
});

test.each([
  [" ", "it names no program"],
  ["''", "it names no program"],
  ["a 'b", "a ' is not closed"],
  ['a "b', 'a " is not closed'],
  ["a \\", "it ends with a backslash"],
])("refuses %j, since %s", (line, problem) => {
  expect(splitWords(line)).toEqual({ type: "refused", problem });
});

test("reads back whatever was quoted", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (rest) => {
      const words = ["program", ...rest];
      expect(splitWords(words.map(quoteWord).join(" "))).toEqual({ type: "words", words });
    }),
  );
});

test("quotes as a shell reads it", () => {
  const words = ["it's", "a b", "$HOME", '"x"', "`y`", "*", "plain-1.2/x"];
  const line = `printf '%s\\n' ${words.map(quoteWord).join(" ")}`;
  expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toBe(`${words.join("\n")}\n`);
});
