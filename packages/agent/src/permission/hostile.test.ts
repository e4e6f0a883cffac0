// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell
// Lines nobody would type: whatever they are, reading them ends soon, throws nothing and hides nothing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "./decide.ts";
import type { PermissionRequest } from "./request.ts";

const ROOT = "/repo/app";

function verdict(command: string): string {
  const request: PermissionRequest = {
    callId: "call_1" as PermissionRequest["callId"],
    tool: "run_shell_command",
    input: { command },
    effect: { type: "command", command, cwd: ROOT },
    title: command,
    kind: "execute",
    locations: [],
    content: [],
  };
  return decide(request, { mode: "workspace-write", rules: [], grants: [], roots: [ROOT], problems: [] }).type;
}

/** In milliseconds of this process's own work: others on the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Slow machines and collections of garbage are allowed for; what grows too fast is not. */
const MAX_LINE_CPU_MS = 250;
const MAX_HOSTILE_CPU_MS = 2_500;

const BITS = fc.constantFrom(
  ..."rm -rf / ~ $HOME ls cat echo sudo env xargs find timeout bash sh -c eval exec git mkfs.ext4 /dev/sda dd of=/dev/sda".split(
    " ",
  ),
  ..."reboot shutdown kill -9 -1 if then fi for in do done while case esac function { } ( ) (( )) [[ ]] ; ;; & && | || |& !".split(
    " ",
  ),
  ..."< > >> <<< << <( >( $( ` ' \" \\ $ ${ } $x ${x:-y} $'\\x72' {a,b} * ? # = x= += EOF \n \t -- -exec {} + \\; -delete %s".split(
    " ",
  ),
  " ",
  "  ",
  "\n",
  "\u0000",
  "\u00a0",
  "\r",
);

const line = fc
  .array(BITS, { maxLength: 60 })
  .chain((bits) =>
    fc
      .array(fc.constantFrom(" ", " ", "", "\n"), { minLength: bits.length, maxLength: bits.length })
      .map((gaps) => bits.map((bit, at) => bit + (gaps[at] ?? "")).join("")),
  );

/**
 * A second, dumb way to find the plainest harm: quotes and backslashes taken away, split where commands end, wrappers
 * skipped. It knows no syntax, so it is only asked about lines without any that would hide or quote a command.
 */
function looksFatal(text: string): boolean {
  const bare = text.replace(/["'\\]/g, "");
  return bare.split(/[;&|\n(){}`]+/).some((piece) => {
    const words = piece.trim().split(/\s+/);
    while (/^(sudo|env|nohup|time|exec|command|!|if|then|do|while)$/.test(words[0] ?? "")) words.shift();
    const [program = "", ...args] = words;
    if (program === "reboot" || program === "mkfs.ext4") return !args.includes("--help");
    if (program === "dd") return args.includes("of=/dev/sda");
    if (program === "kill") return args.join(" ") === "-9 -1";
    return program === "rm" && args[0] === "-rf" && args.slice(1).some((word) => word === "/" || word === "~");
  });
}

describe("any line", () => {
  test("is read without a throw, in a short time", () => {
    verdict("ls");
    fc.assert(
      fc.property(line, (text) => {
        const spent = cpuMs(() => verdict(text));
        expect(spent, JSON.stringify(text)).toBeLessThan(MAX_LINE_CPU_MS);
      }),
      { numRuns: 1_500 },
    );
  });

  test("is read even if it is no text for a shell at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(["allow", "ask", "deny"]).toContain(verdict(text));
      }),
      { numRuns: 500 },
    );
  });

  test("that is plainly fatal is not allowed", () => {
    let fatal = 0;
    fc.assert(
      fc.property(line, (text) => {
        if (verdict(text) !== "allow") return;
        // Within quotes, comments, here-documents and behind `echo` the dumb reader sees commands where there are none.
        if (/['"#<]/.test(text)) return;
        expect(looksFatal(text), JSON.stringify(text)).toBe(false);
      }),
      { numRuns: 1_500 },
    );
    const words = fc.constantFrom("ls", "pwd", "cat x", "git status", "true", "echo a");
    const harm = fc.constantFrom(
      "rm -rf /",
      "r''m -r\\f '/'",
      "reboot",
      "kill -9 -1",
      "dd if=x of=/dev/sda",
      "rm -rf ~",
    );
    const glue = fc.constantFrom(";", " && ", " || ", " | ", " & ", "\n", "; sudo ", "; env ", "; if ", "; ! ");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, glue), { minLength: 1, maxLength: 5 }),
        harm,
        glue,
        words,
        (parts, bad, end, last) => {
          const text = parts.map(([word, separator]) => word + separator).join("") + bad + end + last;
          expect(looksFatal(text), text).toBe(true);
          fatal += 1;
          expect(verdict(text), text).not.toBe("allow");
        },
      ),
      { numRuns: 500 },
    );
    expect(fatal).toBeGreaterThan(400);
  });
});

const repeat = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length));

const FAMILIES: Readonly<Record<string, (size: number) => string>> = {
  "open parentheses": (size) => repeat("(", size),
  "nested subshells": (size) => `${repeat("(", size / 2)}ls${repeat(")", size / 2)}`,
  "open substitutions": (size) => repeat("$(", size),
  "nested substitutions": (size) => `echo ${repeat("$(", size / 2)}ls${repeat(")", size / 4)}`,
  "nested quoted substitutions": (size) => repeat('"$(', size),
  "substitutions in groups": (size) => repeat(`echo ${"$(".repeat(150)}ls${")".repeat(150)};`, size),
  "braces in groups": (size) => repeat(`${"{".repeat(150)}ls${"}".repeat(150)};`, size),
  "unclosed by a few": (size) => `${"{".repeat(190)}${repeat("a{} ", size)}`,
  "brace lists by a few": (size) => `echo ${"{a,".repeat(190)}${repeat("b,", size)}`,
  backticks: (size) => repeat("`", size),
  "escaped backticks": (size) => repeat("\\`", size),
  "single quotes": (size) => repeat("'", size + 1),
  "double quotes": (size) => repeat('"', size + 1),
  "ANSI quotes": (size) => repeat("$'\\x41'", size),
  backslashes: (size) => repeat("\\", size),
  "open braces": (size) => repeat("{", size),
  "brace lists": (size) => `echo ${repeat("{a,b}", size)}`,
  "nested brace lists": (size) => `echo ${repeat("{a,", size)}`,
  "brace sequences": (size) => `echo ${repeat("{1..9}", size)}`,
  "a long brace list": (size) => `echo {${repeat("a,", size)}b}`,
  "here-documents": (size) => repeat("cat <<EOF\nx\nEOF\n", size),
  "open here-documents": (size) => repeat("cat <<E ", size),
  "here-documents of one line": (size) => `${repeat("<<A ", size)}\n`,
  "here-strings": (size) => repeat("<<<a ", size),
  "wrapper chain": (size) => `${repeat("sudo ", size)}ls`,
  "wrappers with strange options": (size) => `${repeat("sudo --x ", size)}ls`,
  evals: (size) => `${repeat("eval ", size)}ls`,
  "shells in shells": (size) => `${repeat("bash -c ", size)}ls`,
  pipes: (size) => repeat("ls|", size),
  lists: (size) => repeat("ls;", size),
  "and-lists": (size) => `${repeat("ls&&", size)}ls`,
  assignments: (size) => repeat("a=b ", size),
  "growing variables": (size) => repeat("a=$a$a;", size),
  "many values": (size) => repeat("a=${a:-b}${a:-c};", size),
  "indirect values": (size) => `a=b;${repeat("a=$a;", size)}$a`,
  loops: (size) => repeat("for i in a b; do ", size),
  "nested loops": (size) => `${repeat("while :; do x=$x$x; ", size / 2)}ls${repeat("; done", size / 3)}`,
  ifs: (size) => repeat("if a; then ", size),
  cases: (size) => repeat("case x in x) ", size),
  functions: (size) => repeat("f() { ", size),
  "functions that call each other": (size) =>
    `${Array.from({ length: size / 24 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`).join(" ")}f0`,
  arithmetic: (size) => `echo $((${repeat("(1+", size)}`,
  "double parentheses": (size) => repeat("((", size),
  tests: (size) => repeat("[[ a || ", size),
  globs: (size) => `ls ${repeat("*?", size)}`,
  "a glob for a program": (size) => `/bin/${repeat("*", size)} -rf /`,
  arguments: (size) => `ls ${repeat("a ", size)}`,
  "find actions": (size) => `find . ${repeat("-exec ", size)}`,
  "find places and actions": (size) => `find ${repeat("a ", size / 2)}${repeat("-exec b {} ; ", size / 2)}`,
  "find holes": (size) => `find ${repeat("a ", size / 2)} -exec sh -c '${repeat("{}", size / 2)}' ;`,
  "xargs holes": (size) => `echo ${"a".repeat(size / 2)} | xargs -I{} sh -c '${repeat("{}", size / 2)}'`,
  "parallel holes": (size) => `parallel '${repeat("{}", size / 2)}' ::: ${"a".repeat(size / 2)}`,
  "lent programs": (size) => `${repeat("PAGER=", size)}ls`,
  "git settings": (size) => `git ${repeat("-c core.pager=ls ", size)}log`,
  comments: (size) => repeat("#\n", size),
  blanks: (size) => repeat(" ", size),
  newlines: (size) => repeat("\n", size),
  redirections: (size) => `ls ${repeat(">a ", size)}`,
  "process substitutions": (size) => repeat("<(", size),
  "array subscripts": (size) => `echo ${repeat("${a[", size)}`,
  "default values": (size) => `echo ${repeat("${a:-", size)}`,
  "one long word": (size) => "a".repeat(size),
  "code with quotes": (size) => `python3 -c "${repeat("system('", size)}"`,
  "code with lists": (size) => `python3 -c "${repeat("['a',", size)}"`,
  "base64 of base64": (size) => `echo ${"YQ".repeat(size / 2)}${" | base64 -d".repeat(50)} | sh`,
  "sed script": (size) => `sed '${repeat("s/a/b/;", Math.min(size, 490))}' x`,
  zeros: (size) => "\u0000".repeat(size),
};

describe("a hostile line costs no more than its length", () => {
  test.each(Object.entries(FAMILIES))("%s", (_family, toLine) => {
    verdict(toLine(64));
    for (const size of [1_000, 4_000, 16_000, 64_000]) {
      const text = toLine(size);
      const spent = cpuMs(() => expect(["allow", "ask", "deny"]).toContain(verdict(text)));
      expect(spent, `${size} characters`).toBeLessThan(MAX_HOSTILE_CPU_MS);
    }
  });
});
