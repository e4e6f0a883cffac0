import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { literalPattern, MAX_PATTERN_CHARS, MAX_VISITS, type Pattern, parsePattern } from "./pattern.ts";

function pattern(source: string, scope: "whole" | "search" = "search"): Pattern {
  const parsed = parsePattern(source, scope);
  if (parsed.type === "refused") throw new Error(parsed.problem);
  return parsed.pattern;
}

describe("a pattern matches", () => {
  test.each([
    ["^git (status|log)\\b", "git log -n 1", true],
    ["^git (status|log)\\b", "git logs", false],
    ["rm\\s+-rf", "sudo rm  -rf x", true],
    ["[^a-c]x", "ax", false],
    ["[]x]+", "]", true],
    ["[\\w.-]+@", "a.b-c@d", true],
    ["a{2,3}$", "caaa", true],
    ["^a{2}$", "aaa", false],
    ["a{,2}b", "aab", true],
    ["x{y", "x{y", true],
    ["(?i)DROP TABLE", "drop table users", true],
    ["(?is)a.b", "A\nB", true],
    ["a.b", "a\nb", false],
    ["^(?!npm ).*", "npm test", false],
    ["^(?!npm ).*", "rm x", true],
    ["^(?=.*a)(?=.*b)", "xbya", true],
    ["(?P<name>a)(?<other>b)", "ab", true],
    ["\\Aab\\Z", "ab", true],
    ["a$", "a\n", true],
    ["\\x41\\u0042\\t", "AB\t", true],
    ["\\$HOME\\*", "$HOME*", true],
    ["", "anything", true],
    ["a||b", "", true],
  ])("%s in %j: %s", (source, input, expected) => {
    expect(pattern(source).test(input)).toBe(expected);
  });

  test("the whole of a name, where that is asked", () => {
    expect(pattern("write_file|replace", "whole").test("replace")).toBe(true);
    expect(pattern("write_file|replace", "whole").test("replace_all")).toBe(false);
    expect(pattern("mcp_.*", "whole").test("mcp_github_search")).toBe(true);
  });
});

describe("a pattern is refused", () => {
  test.each([
    ["(a", "it has an unmatched ("],
    ["a)", "it has an unmatched )"],
    ["[a", "it has an unmatched ["],
    ["*a", "it repeats nothing"],
    ["a**", "it repeats a repetition"],
    ["a{2}{3}", "it repeats a repetition"],
    ["^*", "it repeats something that has no length"],
    ["a{3,2}", "a repetition ends before it begins"],
    ["[z-a]", "it has a bad range"],
    ["(a)\\1", "it has an escape that is not supported"],
    ["(?<=a)b", "it has a group that is not supported"],
    ["(?x) a", "it has a group that is not supported"],
    ["a\\", "it ends in a backslash"],
    ["((a{0,99}){0,99}){0,99}", "it repeats too much"],
    ["a".repeat(MAX_PATTERN_CHARS + 1), "it is longer than 512 characters"],
  ])("%s", (source, problem) => {
    expect(parsePattern(source, "search")).toEqual({ type: "refused", problem });
  });
});

// Bounded by construction: no place is visited twice, and visits are counted. These would run for years elsewhere.
describe("no pattern hangs", () => {
  const line = "a".repeat(20_000);

  test.each([
    "(a+)+$",
    "(a|a)*b",
    "(a|aa)+$",
    "(.*)*x",
    "(.*)(.*)(.*)(.*)(.*)x",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(\\w*\\w*\\w*)*!",
  ])("%s", (source) => {
    expect(pattern(source).test(`${line}!?`)).not.toBe("undecided");
  });

  test("where looking ahead costs too much, it stays undecided", () => {
    expect(pattern("(?=.*b)(?=.*c)x").test(line)).toBe("undecided");
  });

  test("an input that is too long for a pattern stays undecided", () => {
    expect(pattern("[ab]{100}").test("a".repeat(MAX_VISITS / 100 + 1))).toBe("undecided");
  });
});

test("agrees with the engine of the language", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    "c",
    ".",
    "[ab]",
    "[^a]",
    "\\w",
    "\\b",
    "^",
    "$",
    "(?:a|bc)",
    "(a|b)",
    "(?=b)",
    "(?!a)",
  );
  const repeat = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?");
  const piece = fc
    .tuple(atom, repeat)
    .map(([left, right]) => (/^(\\b|\^|\$|\(\?[=!])/.test(left) ? left : left + right));
  const source = fc.array(
    fc.array(piece, { maxLength: 4 }).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 3 },
  );
  const input = fc.stringMatching(/^[abc]{0,8}$/);
  fc.assert(
    fc.property(source, input, (choices, text) => {
      const joined = choices.join("|");
      expect(pattern(joined).test(text), joined).toBe(new RegExp(joined).test(text));
      expect(pattern(joined, "whole").test(text), joined).toBe(new RegExp(`^(?:${joined})$`).test(text));
    }),
    { numRuns: 1_000 },
  );
});

test("what cannot be read is compared letter by letter", () => {
  expect(literalPattern("(a").test("(a")).toBe(true);
  expect(literalPattern("(a").test("((a")).toBe(false);
});
