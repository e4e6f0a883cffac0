import { describe, expect, test } from "vitest";
import { UsageError } from "../manual/usage-error.ts";
import { splitWords } from "../text/split-words.ts";
import { formatIn } from "./format.ts";
import { parseRunFlags } from "./run-flags.ts";
import { help } from "./run-help.ts";

const given = (...args: string[]) =>
  Object.fromEntries(
    Object.entries(parseRunFlags(args)).filter(
      ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

test.each<[string[], object]>([
  [[], {}],
  [["say", "hi"], { prompt: "say hi" }],
  [["--prompt", "say hi"], { prompt: "say hi" }],
  [["--", "--verbose"], { prompt: "--verbose" }],
  [["-m", "a/b", "--mode", "plan", "-C", "/tmp"], { model: "a/b", mode: "plan", cwd: "/tmp" }],
  [["--permission-mode=read-only"], { mode: "read-only" }],
  [["--format", "stream-json"], { format: "stream-json" }],
  [["-c"], { session: { type: "newest" } }],
  [["--resume", "sess_1"], { session: { type: "stored", id: "sess_1" } }],
  [["--max-turns", "7"], { maxSteps: 7 }],
  [["--max-iterations", "8"], { maxSteps: 8 }],
  [["--max-cost", "$0.50"], { maxCost: 0.5 }],
  [["--timeout", "90"], { timeoutMs: 90_000 }],
  [["--timeout", "1.5m"], { timeoutMs: 90_000 }],
  [["--timeout", "250ms"], { timeoutMs: 250 }],
  [["--timeout", "1h"], { timeoutMs: 3_600_000 }],
  [
    ["--param", "a=b=c", "--param", "d="],
    {
      params: [
        ["a", "b=c"],
        ["d", ""],
      ],
    },
  ],
  [["--spec", "-"], { specFile: "-" }],
  [["--agent", " x --y "], { agent: "x --y" }],
  [["--lend", "write, terminal"], { lends: ["write", "terminal"] }],
  [["--lend", "terminal", "--lend", "write"], { lends: ["terminal", "write"] }],
  [["--interaction-policy", "reject", "--no-replay"], {}],
  [["--max-turns", "7", "--max-iterations", "7"], { maxSteps: 7 }],
  [["-m", "a", "-m", "b"], { model: "b" }],
  [["--verbose", "-h"], { isVerbose: true, isHelp: true }],
])("%j", (args, expected) => {
  expect(given(...args)).toEqual(expected);
});

test("deny rules come first", () => {
  const { rules } = parseRunFlags(["--allow", "a", "--deny", "b", "--allow", "c"]);
  expect(rules.map(({ action, name }) => [action, name])).toEqual([
    ["deny", "--deny b"],
    ["allow", "--allow a"],
    ["allow", "--allow c"],
  ]);
});

describe("refuses", () => {
  test.each<[string[], string]>([
    [["--frobnicate"], 'unknown option "--frobnicate"'],
    [["--modle", "x"], 'unknown option "--modle"; did you mean --model?'],
    [["--model"], "--model needs a value"],
    [["-m", "-x"], "--model needs a value; one that begins with a dash is written --model=-x"],
    [["--prompt", "-x y"], "--prompt needs a value; one that begins with a dash is written '--prompt=-x y'"],
    [["-z"], 'unknown option "-z"'],
    [["- a b"], "a prompt that begins with a dash goes behind --, after all options: agentao run -- '- a b'"],
    [["--- a\n+++ b"], "a prompt that begins with a dash goes behind --, after all options: agentao run -- PROMPT"],
    [
      ["--max-turns", "5", "--max-iterations", "6"],
      "--max-turns and --max-iterations are the same option, and say different things",
    ],
    [
      ["--mode", "plan", "--permission-mode", "read-only"],
      "--mode and --permission-mode are the same option, and say different things",
    ],
    [["--replay", "--no-replay"], "--replay and --no-replay exclude each other"],
    [["--cwd", ""], "--cwd is empty"],
    [["--model", " "], "--model is empty"],
    [["--spec", ""], "--spec is empty"],
    [["--verbose=yes"], "--verbose does not take an argument"],
    [["a", "--prompt", "b"], "the prompt is given twice: --prompt and words"],
    [["-c", "-r", "x"], "--continue and --resume exclude each other"],
    [["--format", "xml"], "--format is text, json or stream-json"],
    [["--max-turns", "0"], "--max-turns is a whole number from 1"],
    [["--max-cost", "free"], "--max-cost is an amount in US dollars above 0, such as 0.50"],
    [["--timeout", "soon"], "--timeout is a time such as 90, 90s, 10m or 1h, up to 24 days"],
    [["--timeout", "999h"], "--timeout is a time such as 90, 90s, 10m or 1h, up to 24 days"],
    [["--param", "x"], '--param is NAME=VALUE, not "x"'],
    [["--base-url", "ftp://x"], "--base-url is an http or https address"],
    [["--interaction-policy", "ask"], "--interaction-policy can only be reject"],
    [["--resume", " "], "--resume is empty"],
    [["--lend", "read"], "--lend is write, terminal or write,terminal"],
  ])("%j", (args, problem) => {
    expect(() => parseRunFlags(args)).toThrow(new UsageError(problem));
  });
});

test.each<[string[], string]>([
  [[], "text"],
  [["--format", "json"], "json"],
  [["--nonsense", "--format=stream-json"], "stream-json"],
  [["--format", "xml"], "text"],
  [["--", "--format", "json"], "text"],
])("complaints about %j come as %s", (args, format) => {
  expect(formatIn(args)).toBe(format);
});

describe("the help", () => {
  const [, section = ""] = help.split("\nExamples\n");
  const examples = section
    .slice(0, section.indexOf("\n\n"))
    .split("\n")
    .flatMap((line) => line.split(" | ").filter((part) => /^\s*agentao run /.test(part)));

  test.each(examples)("has an example that is understood: %s", (example) => {
    const split = splitWords(example);
    const [, command, ...args] = split.type === "words" ? split.words : [];
    expect(command).toBe("run");
    expect(parseRunFlags(args).isHelp).toBe(false);
  });

  const options =
    "prompt spec param format model base-url mode permission-mode interaction-policy cwd continue resume max-turns " +
    "max-iterations max-cost timeout allow deny agent lend replay no-replay verbose help";

  test.each(options.split(" "))("names --%s, which there is", (name) => {
    expect(help).toMatch(new RegExp(`[\\s,]--${name}[\\s,.]`));
    expect(() => parseRunFlags([`--${name}=`])).not.toThrow("unknown option");
  });
});
