// What goes into a run: words, standard input, both, and specs; and what comes out of it: formats, and a reader that
// goes away.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { isValid } from "../agent/wire-schema.ts";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { start } from "../program/program.ts";
import { ended } from "../program/run-program.ts";
import { headless, resultOf, startHeadless } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const replies = [[{ text: "Done." }]];

/** What the person said, as the session has it. */
function prompts(home: string): string[] {
  const folder = join(home, "sessions");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files
    .flatMap((file) => readFileSync(join(file.parentPath, file.name), "utf8").split("\n"))
    .filter((line) => line.includes('"type":"prompt"'))
    .map((line) => JSON.parse(line).message.parts[0].text);
}

describe("the prompt", () => {
  test.each<[string, string[], string, string]>([
    ["is the words", ["run", "say", "hi"], "", "say hi"],
    ["is --prompt", ["run", "--prompt", "say hi"], "", "say hi"],
    ["is what comes in", ["run"], "say hi\n", "say hi\n"],
    ["is what comes in, without a word", [], "say hi\n", "say hi\n"],
    ["is both, the input fenced", ["run", "sum up"], "a\n```\nb\n", "sum up\n\nStandard input:\n````\na\n```\nb\n````"],
    ["is -p", ["-p", "say hi"], "", "say hi"],
    ["is --print=…", ["--print=say hi", "--mode", "plan"], "", "say hi"],
    ["may begin with a dash", ["run", "--", "--help"], "", "--help"],
    ["is a spec that comes in", ["run"], '{"prompt":"from a spec"}', "from a spec"],
  ])("%s", async (_, args, input, prompt) => {
    const home = temporaryFolder();
    expect(await headless(args, { replies, input, home })).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
    expect(prompts(home)).toEqual([prompt]);
  });

  test("is text: what is not is refused before anything is asked", async () => {
    const run = await headless(["run", "what is this?"], { replies, input: "GIF89a\u0000" });
    expect(run).toEqual({
      code: 2,
      stdout: "",
      stderr: "agentao: standard input is not text; put it into a file, and say in the prompt which one it is\n",
    });
  });

  test("does not wait for an input that a host leaves open", async () => {
    const home = temporaryFolder();
    const env = { AGENTAO_MODEL: "scripted/demo", AGENTAO_LOCAL_MODELS: "0" };
    const program = start({ args: ["run", "say hi"], home, cwd: temporaryFolder(), env });
    const run = await ended(program);
    expect(run.code).toBe(0);
    expect(prompts(home)).toEqual(["say hi"]);
  });
});

describe("a spec", () => {
  const inFolder = (name: string, text: string): string => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "sub"));
    writeFileSync(join(cwd, name), text);
    return cwd;
  };
  const yaml = `
# A review, read-only.
prompt: |
  Review {{ file }}
  as {{ who }}.
parameters:
  - name: file
    required: true
  - name: who
    default: a friend
    choices: [a friend, a foe]
cwd: sub
permission_mode: read-only
max_iterations: 5
output: {format: json}
`;

  test("is YAML with parameters, a folder, a mode and a format", async () => {
    const cwd = inFolder("review.yaml", yaml);
    const home = temporaryFolder();
    const args = ["run", "--spec", "review.yaml", "--param", "file=main.ts"];
    const run = await headless(args, { replies, cwd, home });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ status: "ok", final_text: "Done.", cwd: join(cwd, "sub") });
    expect(prompts(home)).toEqual(["Review main.ts\nas a friend.\n"]);
  });

  test("gives way to the command line", async () => {
    const cwd = inFolder("review.yaml", yaml);
    const args = ["run", "--spec", "review.yaml", "--param", "file=x", "--format", "text", "other words"];
    expect(await headless(args, { replies, cwd })).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  });

  test.each<[string, string, string[], string]>([
    ["without a parameter it requires", yaml, [], 'the parameter "file" is missing: --param file=…'],
    [
      "with a strange choice",
      yaml,
      ["--param", "file=a", "--param", "who=me"],
      'the parameter "who" is one of a friend, a foe',
    ],
    ["with a parameter it does not know", yaml, ["--param", "x=1"], 'the spec has no parameter "x"'],
    ["with a name it does not know", '{"prompt":"a","api_key":"b"}', [], 's.yaml: a spec has no "api_key"'],
    ["that is no JSON", '{"prompt":', [], "s.yaml: it is not JSON"],
    ["that is no YAML", "prompt: a\n\tb", [], "s.yaml: line 2: it is indented with a tab"],
  ])("%s is refused with exit code 2", async (_, text, more, problem) => {
    const cwd = inFolder("s.yaml", text);
    const run = await headless(["run", "--spec", "s.yaml", "--format", "json", ...more], { replies, cwd });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toEqual({ type: "invalid_spec", message: expect.stringContaining(problem) });
  });
});

test("a spec says in which format its own mistakes are told", async () => {
  for (const wrong of [{ permission_mode: "free" }, { parameters: [{ name: "a", required: true }] }]) {
    const input = JSON.stringify({ prompt: "go", output: { format: "json" }, ...wrong });
    const run = await headless(["run", "--spec", "-"], { replies, input });
    expect(run).toMatchObject({ code: 2, stderr: "" });
    expect(resultOf(run)).toMatchObject({ status: "error", error: { type: "invalid_spec" } });
  }
});

test("two specs are one too many", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "s.yaml"), "prompt: one\n");
  const run = await headless(["run", "--spec", "s.yaml"], { replies, cwd, input: "prompt: two\n" });
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("there are two specs") });
});

describe("the output", () => {
  const linesOf = ({ stdout }: { stdout: string }) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("as stream-json names the session first, and has lines that are ACP, also where something is refused", async () => {
    const steps = [
      { reasoning: "Hm." },
      { notice: "Mind the gap." },
      { call: { name: "todo_write", input: { todos: [{ content: "a", status: "pending" }] } } },
      { call: { name: "write_file", input: { file_path: "a.txt", content: "a" } } },
      { call: { name: "run_shell_command", input: { command: "git push" } } },
    ];
    const run = await headless(["run", "--format", "stream-json", "go"], { replies: [steps] });
    expect(run.code).toBe(3);
    const lines = linesOf(run);
    const { session_id, cwd } = lines.at(-1);
    expect(lines[0]).toEqual({
      sessionUpdate: "session_info_update",
      _meta: { "_agentao.cn/session": { session_id, cwd } },
    });
    const updates = lines.slice(0, -1);
    expect(new Set(updates.map(({ sessionUpdate }) => sessionUpdate))).toContain("plan");
    const isUpdate = (update: object): boolean => isValid("Notification", "session/update", { update });
    expect(updates.filter((update) => !isUpdate(update))).toEqual([]);
  });

  test("as stream-json is every update, then the result", async () => {
    const looks = [[{ call: { name: "list_directory", input: { path: "." } } }], [{ text: "Two words." }]];
    const run = await headless(["run", "--format", "stream-json", "go"], { replies: looks });
    const lines = linesOf(run);
    const kinds = lines.slice(0, -1).map((line) => line.sessionUpdate);
    expect(kinds).toEqual(
      expect.arrayContaining(["tool_call", "tool_call_update", "agent_message_chunk", "usage_update"]),
    );
    const text = lines.filter((line) => line.sessionUpdate === "agent_message_chunk").map((line) => line.content.text);
    expect(text.join("")).toBe("Two words.");
    expect(lines.at(-1)).toMatchObject({ status: "ok", final_text: "Two words." });
    expect(lines.filter((line) => line.status === "ok" && "usage" in line)).toHaveLength(1);
  });

  test("as text into a pipe is the last answer, not the talk before it", async () => {
    const talk = [
      [{ text: "I shall look." }, { call: { name: "list_directory", input: { path: "." } } }],
      [{ text: "Empty.\n" }],
    ];
    expect(await headless(["run", "go"], { replies: talk })).toEqual({ code: 0, stdout: "Empty.\n", stderr: "" });
  });

  test("tells notices and the session on stderr where it is wanted", async () => {
    const run = await headless(["run", "--verbose", "go"], { replies });
    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(run.stderr).toMatch(
      /^agentao: Model: scripted\/.*\nsession (sess_\w+); go on with agentao run --resume \1\n$/,
    );
  });

  test("that nobody reads any more ends the run without a word", async () => {
    const endless = [[{ repeat: { count: 100_000, step: [{ text: "more and more " }, { delayMs: 1 }] } }]];
    const program = startHeadless(["run", "--format", "stream-json", "go"], { replies: endless });
    await program.frame((frame) => JSON.stringify(frame).includes("more"));
    program.child.stdout.destroy();
    const { code } = await program.ending();
    expect([code, program.stderr]).toEqual([130, ""]);
  });

  test.each(["text", "json", "stream-json"])("as %s that has no room is a failure in one sentence", async (format) => {
    const through = ["bash", "-c", 'exec "$@" > /dev/full', "sh"];
    const run = await headless(["run", "--format", format, "go"], { replies, through });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^agentao run: the output cannot be written: ENOSPC.*\n$/);
  });

  test("of a finished run that nobody reads is no failure", async () => {
    const through = ["bash", "-c", 'set -o pipefail; "$@" | true; echo "code $?" >&2', "sh"];
    const run = await headless(["run", "go"], { replies: [[{ text: "x".repeat(1_000_000) }]], through });
    expect(run.stderr).toBe("code 0\n");
  });
});

test.each<[string, string, number, object]>([
  ["nothing to read is help", "< /dev/null", 0, { stdout: expect.stringContaining("Usage"), stderr: "" }],
  [
    "an empty input is no prompt",
    "< <(true)",
    2,
    { stdout: "", stderr: expect.stringContaining("there is no prompt") },
  ],
])("without a word, %s", async (_, redirection, code, said) => {
  expect(await headless([], { through: ["bash", "-c", `"$@" ${redirection}`, "sh"] })).toMatchObject({ code, ...said });
});

test("words where a command is expected are told where they belong", async () => {
  const run = await headless(["fix the bug"]);
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('agentao run "fix the bug"') });
});

test("--help is a page, and needs nothing", async () => {
  const { code, stdout, stderr } = await headless(["run", "--mode", "plan", "--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  for (const word of ["Usage", "Examples", "Exit codes", "--allow RULE", "stream-json"]) expect(stdout).toContain(word);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
});

test("a folder that somebody has removed is told", async () => {
  const through = ["bash", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"];
  const run = await headless(["run", "go"], { replies, through });
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is not there any more") });
});
