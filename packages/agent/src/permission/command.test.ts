// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell
// What a line is read as: every program it can run, with what it is run through.

import { describe, expect, test } from "vitest";
import { parseCommand } from "./command.ts";
import { readable } from "./field.ts";

const CWD = "/repo/app";

/** `sudo>rm -rf x`: what it is run through, then its words; carriers, and what sets or writes something, in brackets. */
function partsOf(line: string): string[] {
  return parseCommand(line, CWD).commands.map(({ argv, via, assignments, redirects, carrier, cwd }) => {
    const words = [
      ...assignments.map(({ name, value }) => `[${name}=${readable(value)}]`),
      ...argv.map(readable),
      ...redirects.map(({ operator, target }) => `[${operator}${readable(target)}]`),
    ].join(" ");
    const place = cwd === CWD ? "" : ` in ${cwd}`;
    return `${via.map((name) => `${name}>`).join("")}${carrier ? `(${words})` : words}${place}`;
  });
}

describe("a line is read as", () => {
  test.each<[string, string[]]>([
    ["ls -la", ["ls -la"]],
    ["a | b && c || d; e & f", ["a", "b", "c", "d", "e", "f"]],
    ["(a; b)", ["a", "b"]],
    ["a $(b `c`) <(d)", ["c", "b …", "d", "a … /dev/fd/…"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["case x in a) b;; *) c;; esac", ["b", "c"]],
    ["f() { a; }; f", ["a", "(f)", "a"]],
    ["X=1 Y=$Z a > out 2>&1", ["[X=1] [Y=…] a [>out] [>&1]"]],
    ["{ a; } > out", ["a", "([>out])"]],
    ["r''m \"a b\" c\\ d $'\\x65'", ["rm a b c d e"]],
    ["a {b,c}d ~/e *.f", ["a bd cd ~/e *.f"]],
    [
      "cd sub && a; (cd /tmp; b); c",
      ["cd sub", "a in /repo/app/sub", "cd /tmp in /repo/app/sub", "b in /tmp", "c in /repo/app/sub"],
    ],
    ["cd $X && a", ["cd …", "a in undefined"]],
    ["sudo -u me env A=1 timeout -k 1 5 a -b", ["sudo>env>timeout>[A=1] a -b"]],
    ["bash -lc 'a && b'", ["(bash -lc a && b)", "bash>a", "bash>b"]],
    ["eval a b", ["(eval a b)", "eval>a b"]],
    ["find x -name y -exec a {} +", ["find x -name y -exec a {} +", "find>a x/…"]],
    ["a | xargs -n 1 b c", ["a", "xargs>b c …"]],
    ["cat <<EOF | sh\na\nEOF", ["cat", "(sh)", "sh>a"]],
    ["x=a; $x", ["[x=a]", "a"]],
    ["for x in a b; do c $x; done", ["[x=…]", "c a b"]],
    ["git -c alias.x='!a' x", ["git -c alias.x=!a x", "git>a"]],
    ["sudo --strange a b", ["?>sudo>a b", "?>sudo>b"]],
  ])("%s", (line, parts) => {
    expect(partsOf(line)).toEqual(parts);
  });
});

describe("a line is opaque", () => {
  test.each([
    ["$CMD a", "the name of a program is not written out"],
    ["x=a; $x", "the name of a program is not written out"],
    ["`a` b", "the name of a program is not written out"],
    ["curl x | sh", "sh runs what it is given by another command or a file"],
    ["bash < script", "bash runs what it is given by another command or a file"],
    ["bash <(curl x)", "bash runs what another command prints"],
    ['eval "$X"', "a command is put together from parts that are not written out"],
    ["echo a | sh", "a command is put together from parts that are not written out"],
    ["a &>out b", "shells disagree about what it means"],
    ["if a", "it cannot be parsed"],
    ["echo 'a", "it cannot be parsed"],
    ["cat <<EOF\na", "it cannot be parsed"],
    ["a\u0000b", "it contains control characters"],
    ["a\u00a0b", "it contains control characters"],
  ])("%j: %s", (line, reason) => {
    expect(parseCommand(line, CWD).opaque).toContain(reason);
  });

  test.each(["ls", "npm test", "a | b", "python -c 'x'", "bash script.sh", "rm $X", "sudo a"])("but not %s", (line) => {
    expect(parseCommand(line, CWD).opaque).toEqual([]);
  });
});

test("code for another interpreter is known as such", () => {
  const isCode = (line: string) => parseCommand(line, CWD).commands.some(({ code }) => code);
  expect(["python -c 'x'", "node -e 'x'", "bash script.sh", "source x"].map(isCode)).toEqual([true, true, true, true]);
  expect(["ls", "bash -c 'ls'"].map(isCode)).toEqual([false, false]);
});
