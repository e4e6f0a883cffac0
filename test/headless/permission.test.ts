// What a run may do: rules of the command line and of a spec, decided by the runtime, where a deny wins.

import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { quoteWord } from "../../packages/cli/src/text/split-words.ts";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { headless, resultOf } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const shell = (command: string) => [[{ call: { name: "run_shell_command", input: { command } } }], [{ text: "Done." }]];
const write = (input: object) => [[{ call: { name: "write_file", input } }], [{ text: "Done." }]];

const run = async (args: readonly string[], replies: readonly object[], cwd = temporaryFolder()) => {
  const one = await headless(["run", "--format", "json", ...args, "go"], { replies, cwd });
  return { code: one.code, cwd, result: resultOf(one) };
};

describe("--allow", () => {
  test("lets a command run that would be asked about", async () => {
    const { code, cwd } = await run(["--allow", "run_shell_command(touch made)"], shell("touch made"));
    expect([code, existsSync(join(cwd, "made"))]).toEqual([0, true]);
  });

  test.each<[string, string, string, number]>([
    ["by its beginning", "run_shell_command(touch *)", "touch made", 0],
    ["in a line where each part is allowed", "run_shell_command(touch *)", "touch a && touch made", 0],
    ["but not with another behind it", "run_shell_command(touch *)", "touch a; mv a made", 3],
    ["but not another one", "run_shell_command(touch other)", "touch made", 3],
    ["but not what is wrapped in a command that fits", "run_shell_command(bash *)", "bash -c 'touch made'", 3],
    ["all commands", "run_shell_command", "touch a; mv a made", 0],
  ])("%s", async (_, rule, command, code) => {
    const one = await run(["--allow", rule], shell(command));
    expect([one.code, existsSync(join(one.cwd, "made"))]).toEqual([code, code === 0]);
  });

  test.each([
    "cd . && touch made",
    "true; for i in made; do touch $i; done",
    'touch "$(echo made)"',
    "bash -c 'touch made'",
    "touch other\ntouch made",
    "touch made *.none",
    "echo 'it'\\''s' > made",
  ])("%j is allowed by the rule that its refusal asks for", async (command) => {
    const refused = await run([], shell(command));
    const [, word = ""] = /To allow it: --allow ([\s\S]+)$/.exec(refused.result.error.message) ?? [];
    expect([refused.code, word]).toEqual([3, quoteWord(`run_shell_command(${command})`)]);
    const allowed = await run(["--allow", `run_shell_command(${command})`], shell(command));
    expect([allowed.code, existsSync(join(allowed.cwd, "made"))]).toEqual([0, true]);
  });

  test.each([".env", ".git/hooks/pre-commit"])("%s, too", async (file_path) => {
    const input = { file_path, content: "a" };
    const refused = await run([], write(input));
    expect(refused.result.error.message).toMatch(/To allow it: --allow '(.+)'$/);
    expect(refused.result.error.message).toContain(`'write_file(${file_path})'`);
    const wide = await run(["--allow", "write_file(*)", "--allow", "write_file"], write(input));
    expect([wide.code, existsSync(join(wide.cwd, file_path))]).toEqual([3, false]);
    const allowed = await run(["--allow", `write_file(./${file_path})`], write(input));
    expect([allowed.code, existsSync(join(allowed.cwd, file_path))]).toEqual([0, true]);
  });

  test("that is not enough is not asked for again", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, ".env"), "KEY=1\n");
    const look = [[{ call: { name: "search_file_content", input: { pattern: "KEY", directory: ".env" } } }]];
    const one = await run(["--allow", "search_file_content"], look, cwd);
    expect(one.result.error.message).toContain("needs the permission of a person");
  });

  test("by a pattern is about files below the working directory", async () => {
    const outside = join(temporaryFolder(), "a.md");
    const cwd = temporaryFolder();
    symlinkSync(dirname(outside), join(cwd, "link"));
    for (const file_path of [outside, "link/a.md", `../${basename(dirname(outside))}/a.md`]) {
      for (const rule of ["write_file(*.md)", "write_file(link/*)"]) {
        const one = await run(["--allow", rule], write({ file_path, content: "a" }), cwd);
        expect([one.code, existsSync(outside)]).toEqual([3, false]);
      }
    }
  });

  test("is about files by their whole paths as well", async () => {
    const cwd = temporaryFolder();
    const rules = ["--deny", `write_file(${cwd}/a*)`];
    const one = await run(rules, write({ file_path: "abc", content: "a" }), cwd);
    expect([one.code, one.result.error.type]).toEqual([3, "permission_denied"]);
  });

  test("does not open what a line is denied for", async () => {
    const command = "cd . && touch made";
    const rules = ["--allow", `run_shell_command(${command})`, "--deny", "run_shell_command(touch *)"];
    const one = await run(rules, shell(command));
    expect([one.code, one.result.error.type]).toEqual([3, "permission_denied"]);
  });

  test("is not believed about a tool that is misspelt", async () => {
    const one = await run(["--deny", "wite_file"], write({ file_path: "a", content: "a" }));
    expect([one.code, existsSync(join(one.cwd, "a"))]).toEqual([2, false]);
    expect(one.result.error.message).toContain("did you mean write_file?");
  });

  test("does not open what the mode refuses", async () => {
    const one = await run(["--mode", "read-only", "--allow", "write_file"], write({ file_path: "a", content: "a" }));
    expect([one.code, one.result.error.type]).toEqual([3, "permission_denied"]);
  });

  test("does not allow what can never be allowed", async () => {
    const one = await run(["--mode", "full-access", "--allow", "run_shell_command"], shell("rm -rf /"));
    expect([one.code, one.result.error.type]).toEqual([3, "permission_denied"]);
  });
});

describe("--deny", () => {
  test.each<[string, string[], object]>([
    ["over the mode", ["--deny", "write_file"], { file_path: "a.txt", content: "a" }],
    ["over full access", ["--mode", "full-access", "--deny", "write_file"], { file_path: "a.txt", content: "a" }],
    ["over an allow", ["--allow", "write_file", "--deny", "write_file(*.txt)"], { file_path: "./a.txt", content: "a" }],
    ["by any name of the input", ["--deny", "write_file(a.*)"], { path: "x/../a.txt", content: "a" }],
  ])("wins %s", async (_, args, input) => {
    const { code, cwd, result } = await run(args, write(input));
    expect([code, existsSync(join(cwd, "a.txt"))]).toEqual([3, false]);
    expect(result.error).toMatchObject({
      type: "permission_denied",
      tool_name: "write_file",
      matched_rule: expect.stringMatching(/^--deny write_file/),
    });
  });

  test("sees through what a command is wrapped in", async () => {
    const one = await run(
      ["--mode", "full-access", "--deny", "run_shell_command(touch *)"],
      shell("true && env A=1 touch made"),
    );
    expect([one.code, existsSync(join(one.cwd, "made"))]).toEqual([3, false]);
  });

  test("leaves alone what it does not speak about", async () => {
    const { code, cwd } = await run(["--deny", "write_file(secret/*)"], write({ file_path: "a.txt", content: "a" }));
    expect([code, readFileSync(join(cwd, "a.txt"), "utf8")]).toEqual([0, "a"]);
  });
});

test("rules of a spec are regular expressions on tools and their inputs", async () => {
  const cwd = temporaryFolder();
  const spec = {
    prompt: "go",
    permissions: { allow: [{ tool: "run_shell_.*", args: { command: "^touch " } }], deny: [{ tool: "write_file" }] },
    output: { format: "json" },
  };
  writeFileSync(join(cwd, "spec.json"), JSON.stringify(spec));
  const allowed = await headless(["run", "--spec", "spec.json"], { replies: shell("touch made"), cwd });
  const denied = await headless(["run", "--spec", "spec.json"], {
    replies: write({ file_path: "a", content: "" }),
    cwd,
  });
  expect([allowed.code, existsSync(join(cwd, "made"))]).toEqual([0, true]);
  expect([denied.code, resultOf(denied).error.type]).toEqual([3, "permission_denied"]);
});
