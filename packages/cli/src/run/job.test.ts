import { PassThrough, Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Io } from "../io/io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { joinPrompt, readSource, toJob } from "./job.ts";
import { readInput } from "./read-input.ts";
import { parseRunFlags } from "./run-flags.ts";

const world = (stdin: Readable, more: Partial<Io> = {}): Io & { told(): string } => {
  const stderr = new PassThrough().setEncoding("utf8");
  return {
    stdin,
    stdout: new PassThrough(),
    stderr,
    env: {},
    cwd: process.cwd(),
    signal: new AbortController().signal,
    told: () => stderr.read() ?? "",
    ...more,
  };
};

test.each<[string | undefined, string, string | undefined]>([
  ["words", "", "words"],
  ["words", " \n", "words"],
  [undefined, "input\n", "input\n"],
  ["", "", undefined],
  ["words", "a\nb\n", "words\n\nStandard input:\n```\na\nb\n```"],
  ["words", "````\n", "words\n\nStandard input:\n`````\n````\n`````"],
])("%j and %j are %j", (words, input, prompt) => {
  expect(joinPrompt(words, input)).toBe(prompt);
});

test("a fence is long enough for an input full of fences", () => {
  expect(joinPrompt("words", "``` ".repeat(500_000))?.startsWith("words\n\nStandard input:\n````\n")).toBe(true);
});

describe("a job", () => {
  const read = async (input: string, ...args: string[]) => {
    const flags = parseRunFlags(args);
    const io = world(Readable.from(input === "" ? [] : [input]));
    return toJob(flags, await readSource(flags, io), io.cwd);
  };

  test("is what the command line and a spec say together, where the command line wins and rules add up", async () => {
    const spec = JSON.stringify({ prompt: "p", model: "a/b", permission_mode: "plan", permissions: { deny: ["x"] } });
    const job = await read(spec, "--mode", "read-only", "--allow", "y", "--spec", "-");
    expect(job).toMatchObject({ prompt: "p", model: "a/b", mode: "read-only", session: { type: "new" } });
    expect(job.rules.map(({ name }) => name)).toEqual(["--allow y", "--deny x"]);
  });

  test.each<[string, string[], string]>([
    ["", [], "there is no prompt"],
    ["", ["--deny", "wite_file", "go"], 'there is no tool "wite_file"; did you mean write_file?'],
    ["", ["--skill", "x", "go"], "skills cannot be chosen"],
    ["", ["--param", "a=b", "go"], "--param needs a --spec"],
    ["", ["--spec", "no-such-file.json"], "there is no spec"],
    ["", ["--spec", "packages"], "is a folder"],
    ["", ["--spec", "/dev/null"], "/dev/null: it is empty"],
    ["prompt: a", ["--spec", "package.json"], 'package.json: a spec has no "name"'],
    ["", ["--cwd", "package.json", "go"], "is no folder"],
    ["", ["--agent", "'x", "go"], "the command of --agent cannot be used"],
    ["prompt: a", ["--spec", "-", "--param", "b=c"], 'the spec has no parameter "b"'],
  ])("%j %j is refused", async (input, args, problem) => {
    const failure = await read(input, ...args).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toContain(problem);
  });

  test.each<[string, string[], boolean]>([
    ["", [], true],
    ["", ["--param", "a=b", "go"], true],
    ["", ["--spec", "no-such-file.json"], false],
    ["", ["--cwd", "package.json", "go"], false],
    ["prompt: [", ["--spec", "-"], false],
    ["prompt: a", ["--spec", "-", "--param", "b=c"], false],
  ])("what is wrong with %j %j is in the help: %s", async (input, args, isInHelp) => {
    expect(await read(input, ...args).catch((cause: unknown) => cause)).toMatchObject({ isInHelp });
  });
});

describe("standard input", () => {
  test("is read to its end, letters torn apart included", async () => {
    const letters = Buffer.from("grüße");
    const stdin = Readable.from([letters.subarray(0, 3), letters.subarray(3)]);
    expect(await readInput(world(stdin), { isOptional: true })).toBe("grüße");
  });

  test("is not waited for at a terminal", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    expect(await readInput(world(stdin), { isOptional: false })).toBe("");
  });

  test("that does not come is asked for", async () => {
    const stdin = new PassThrough();
    const io = world(stdin);
    const reading = readInput(io, { isOptional: false, quietMs: 1 });
    while (io.stderr.writableLength === 0 && (io.stderr as PassThrough).readableLength === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(io.told()).toContain("waiting for standard input");
    stdin.end("at last");
    expect(await reading).toBe("at last");
  });

  test("is left when the person wants to leave", async () => {
    const leaving = new AbortController();
    const reading = readInput(world(new PassThrough(), { signal: leaving.signal }), { isOptional: false });
    leaving.abort();
    expect(await reading).toBe("");
  });

  test("is text", async () => {
    const picture = Readable.from([Buffer.from("GIF89a\u0000\u0001")]);
    await expect(readInput(world(picture), { isOptional: true })).rejects.toThrow(
      "standard input is not text; put it into a file, and say in the prompt which one it is",
    );
  });

  test("that cannot be read is told", async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error("EISDIR: it is a folder")) });
    await expect(readInput(world(broken), { isOptional: true })).rejects.toThrow(
      "standard input cannot be read: EISDIR: it is a folder",
    );
  });

  test("has an end", async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1024 * 1024, "a");
      })(),
    );
    await expect(readInput(world(endless), { isOptional: true })).rejects.toThrow(
      "standard input is larger than 10 MiB",
    );
  });
});
