import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { toMatcher } from "./find-pattern.ts";
import { toNameFilter, withoutWild } from "./ignore-names.ts";
import { temporaryMachine } from "./temporary-machine.ts";
import { toPathMatcher } from "./wild-path.ts";

const LONG = "a".repeat(240);

describe("a hostile pattern", () => {
  test.each([
    ["stars", `${"*a".repeat(30)}b`],
    ["stars behind folders", `**/${"*a".repeat(30)}b`],
    ["folders", `${"**/a/".repeat(30)}b`],
    ["stars in many names", `${"*a*a/".repeat(20)}b`],
    ["stars in braces", `{${"*a".repeat(30)}b,x}`],
    ["not stars", `!${"*a".repeat(30)}b`],
    ["questions and stars", `${"*?".repeat(60)}b`],
    ["sets and stars", `${"*[a-b]".repeat(40)}c`],
  ])("takes no time: %s", async (_, pattern) => {
    const matches = await toMatcher(pattern, { dotfiles: "named" });
    const paths = [LONG, Array.from({ length: 20 }, () => "a".repeat(100)).join("/"), `${"a/".repeat(500)}a`];

    const { cost, found } = measured(() => paths.map((path) => matches(path)));

    expect(cost).toBeLessThan(1_000);
    expect(found).toEqual(paths.map(() => pattern.startsWith("!")));
  });

  test.each([
    ["groups that repeat", `${"+(a|aa)".repeat(10)}b`],
    ["a choice that repeats", "+(a|a)b"],
    ["a repeat that repeats", "*(*(a))b"],
    ["many choices", `${"@(a|a)".repeat(30)}b`],
    ["many braces", `${"{a,a}".repeat(30)}b`],
    ["many maybes", `${"?(a)".repeat(40)}b`],
    ["stars in groups", `@(${"*a".repeat(30)}b|c)`],
    ["length", "*a".repeat(2_000)],
  ])("is refused: %s", async (_, pattern) => {
    await expect(toMatcher(pattern, { dotfiles: "named" })).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("too complicated"),
    });
  });

  test.each([
    ["src/**/*.test.*", "src/a/b.test.ts", true],
    ["**/{a,b}/**/*.{ts,js}", "x/a/y/z.js", true],
    ["**/{a,{b,c}}/**/*.ts", "c/z.ts", true],
    ["**/*[0-9]*.*", "x/a1b.ts", true],
    ["**/*[^0-9]*.x.*", "x/11.x.1", false],
    ["+([0-9]).ts", "12.ts", true],
    ["!**/*a*b*", "x/acb", false],
  ])("is none that people write: %s", async (pattern, path, expected) => {
    const matches = await toMatcher(pattern, { dotfiles: "all" });

    expect([matches(path), picomatch(pattern, { dot: true })(path)]).toEqual([expected, expected]);
  });
});

const names = fc
  .array(fc.constantFrom("a", "b", ".", "-"), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join(""))
  .filter((name) => !name.endsWith("."));
const segments = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom("a", "b", ".", "*", "?", "[ab]"), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(["**"]) },
);

test("patterns mean what they mean to others", () => {
  const patterns = fc
    .array(
      segments.map((tokens) => tokens.join("")),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => all.join("/"))
    // These are readings of others that nobody relies on.
    .filter((pattern) => !/[^/]\*\*|\*\*[^/]|\*\*\/\*\*|(^|\/)\.+(\/|$)/.test(pattern));
  const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));
  fc.assert(
    fc.property(patterns, paths, fc.constantFrom("all" as const, "named" as const), (pattern, path, dotfiles) => {
      const theirs = picomatch(pattern, { dot: dotfiles === "all" });
      expect(toPathMatcher(pattern, { dotfiles })(path)).toBe(theirs(path));
    }),
    { numRuns: 3_000 },
  );
});

describe("ignore lines", () => {
  test("with many stars are left out, others stay", () => {
    expect(withoutWild("*.log\n*a*a*a*a*ab\r\n!**/keep/*.*\n")).toBe("*.log\n!**/keep/*.*\n");
  });

  test("take no time to be looked at", () => {
    const { cost, found } = measured(() => toNameFilter(`${"*a".repeat(30)}b\n*.x`).test(LONG));

    expect([found, cost < 1_000]).toEqual([false, true]);
  });

  test.each([
    ["*a*b", "xaxb", true],
    ["*a*b", "xbxa", false],
    ["*.log", "a.log", true],
    ["", "anything", false],
  ])("%j is looked for in %j: %s", (lines, name, expected) => {
    expect(toNameFilter(lines).test(name)).toBe(expected);
  });
});

test("a folder with hostile lines and names is listed and searched at once", async () => {
  await using here = await temporaryMachine();
  await here.put(".gitignore", `*a*a*a*a*a*a*a*ab\n${"**/a/".repeat(20)}b\n*.log\n`);
  await here.put("a".repeat(200), "text");
  await here.put("a.log", "text");
  const { signal } = new AbortController();
  const before = process.cpuUsage();

  const tree = await here.machine.listTree(here.root, { entries: 100, entriesEach: 100, depth: 3 }, signal);
  const found = await here.machine.findFiles({ folder: here.root, pattern: `${"*a".repeat(30)}b`, limit: 10 }, signal);

  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  expect(tree.listing.entries.map(({ name }) => name)).toEqual([".gitignore", "a".repeat(200)]);
  expect(found.paths).toEqual([]);
});

/** Time of this process only, in milliseconds. */
function measured<T>(act: () => T): { readonly cost: number; readonly found: T } {
  const before = process.cpuUsage();
  const found = act();
  const { user, system } = process.cpuUsage(before);
  return { cost: (user + system) / 1_000, found };
}
