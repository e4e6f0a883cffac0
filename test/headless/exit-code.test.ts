// Every exit code of `agentao run`, and the result that goes with it.

import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "../program/built.ts";
import { ended } from "../program/run-program.ts";
import { headless, resultOf, startHeadless } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const anything = { usage: expect.any(Object), tool_calls: expect.any(Number), warnings: expect.any(Array) };
const inSession = { ...anything, session_id: expect.stringMatching(/^sess_/), cwd: expect.any(String) };

test("0: the answer on stdout, nothing on stderr", async () => {
  const replies = [[{ text: "Forty-two." }]];
  expect(await headless(["run", "how", "many?"], { replies })).toEqual({ code: 0, stdout: "Forty-two.\n", stderr: "" });
});

test("0: the whole result as one line of JSON", async () => {
  const cwd = temporaryFolder();
  const replies = [
    [{ text: "Let me look." }, { call: { name: "list_directory", input: { path: "." } } }],
    [{ text: "Forty-two." }, { usage: { inputTokens: 10, outputTokens: 5, cost: 0.25 } }],
  ];
  const run = await headless(["run", "--format", "json", "how many?"], { replies, cwd });
  expect([run.code, run.stdout.split("\n").length, run.stderr]).toEqual([0, 2, ""]);
  expect(resultOf(run)).toEqual({
    status: "ok",
    session_id: expect.stringMatching(/^sess_[0-9a-f]{32}$/),
    cwd,
    model: expect.stringMatching(/^scripted\/.*scenario\.json$/),
    stop_reason: "end_turn",
    final_text: "Forty-two.",
    usage: {
      total_tokens: expect.any(Number),
      prompt_tokens: expect.any(Number),
      completion_tokens: expect.any(Number),
      cost_usd: 0.25,
    },
    tool_calls: 1,
    finish_reason_missing: false,
    warnings: [],
  });
});

describe("1", () => {
  test("the model fails: its sentence, and no answer", async () => {
    const replies = [[{ fault: { kind: "auth", message: "Acme needs a key: set ACME_API_KEY." } }]];
    expect(await headless(["run", "go"], { replies })).toEqual({
      code: 1,
      stdout: "",
      stderr: "agentao run: Acme needs a key: set ACME_API_KEY.\n",
    });
    const run = await headless(["run", "--format=json", "go"], { replies });
    expect([run.code, run.stderr]).toEqual([1, ""]);
    expect(resultOf(run)).toMatchObject({
      ...inSession,
      status: "error",
      error: { type: "runtime_error", reason: "llm_error", message: "Acme needs a key: set ACME_API_KEY." },
    });
  });

  test("a provider without a key says which variable to set", async () => {
    const env = { OPENAI_API_KEY: undefined, AGENTAO_MODEL: "openai/gpt-5.4" };
    const run = await headless(["run", "go"], { env });
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("OPENAI_API_KEY") });
  });

  test.each<[string, object[], object]>([
    ["thoughts alone", [{ reasoning: "hm" }], { type: "empty_response", reason: "reasoning_only" }],
    [
      "an answer that was cut off",
      [{ text: "Once upon" }, { finish: { reason: "length" } }],
      { type: "length_truncated", reason: "length_truncated" },
    ],
    ["a refusal of the model", [{ text: "No." }, { finish: { reason: "refusal" } }], { type: "runtime_error" }],
  ])("%s", async (_, steps, error) => {
    const run = await headless(["run", "--format", "json", "go"], { replies: [steps] });
    expect(run.code).toBe(1);
    expect(resultOf(run)).toMatchObject({ ...inSession, status: "error", error });
  });

  test("the same call over and over", async () => {
    const call = [{ call: { name: "list_directory", input: { path: "." } } }];
    const run = await headless(["run", "--format", "json", "go"], { replies: [call, call, call, call] });
    expect(run.code).toBe(1);
    expect(resultOf(run)).toMatchObject({ error: { type: "doom_loop", reason: "doom_loop" }, tool_calls: 3 });
  });
});

describe("2", () => {
  const hint = 'Try "agentao run --help".\n';

  test.each<[string, string[], string]>([
    ["an unknown option", ["run", "--modle", "x"], 'unknown option "--modle"; did you mean --model?'],
    ["no prompt", ["run"], 'there is no prompt: agentao run "what to do", or write it to standard input'],
    ["a prompt that looks like an option", ["run", "-1 is odd"], "a prompt that begins with a dash goes behind --"],
    ["two that exclude each other", ["run", "-c", "-r", "x", "go"], "--continue and --resume exclude each other"],
    ["a rule that is none", ["run", "--allow", "a b c", "go"], 'the rule "a b c" cannot be used'],
  ])("%s, which the help says more about", async (_, args, problem) => {
    await isRefused(args, problem, hint);
  });

  test.each<[string, string[], string]>([
    ["an unknown mode", ["run", "--mode", "free", "go"], 'there is no mode "free"; choose from read-only,'],
    [
      "an unknown model",
      ["run", "--model", "nobody/nothing", "go"],
      'the model "nobody/nothing" is not known; agentao models lists what can be chosen here',
    ],
    [
      "an unknown session",
      ["run", "--resume", "sess_none", "go"],
      'there is no session "sess_none"; agentao sessions --all lists those there are',
    ],
    ["nothing to go on with", ["run", "--continue", "go"], "there is no session in"],
    ["a folder that is not there", ["run", "--cwd", "nowhere", "go"], "there is no folder"],
    ["a spec that is not there", ["run", "--spec", "nowhere.yaml"], "there is no spec"],
  ])("%s", async (_, args, problem) => {
    await isRefused(args, problem, "");
  });

  test.each([
    ["AGENTAO_MODEL", "nobody/nothing"],
    ["LLM_PROVIDER", "nobody"],
  ])("a model that %s names and nobody has: the demo does not answer for it", async (variable, value) => {
    const run = await headless(["run", "go"], { env: { [variable]: value } });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(
      `agentao: ${variable} names "${value}", which cannot be had here; agentao doctor says why\n`,
    );
  });

  test("the demo answers where it is named, and where nothing is", async () => {
    const [named, alone] = await Promise.all([
      headless(["run", "help"], { env: { AGENTAO_MODEL: "scripted/demo" } }),
      headless(["run", "help"]),
    ]);
    expect([named.code, alone.code]).toEqual([0, 0]);
  });

  async function isRefused(args: readonly string[], problem: string, after: string): Promise<void> {
    const text = await headless(args, { replies: [] });
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(`agentao: ${problem}`);
    expect(text.stderr.split("\n").slice(1).join("\n")).toBe(after);
    const json = await headless([...args.slice(0, 1), "--format", "json", ...args.slice(1)], { replies: [] });
    expect(json).toMatchObject({ code: 2, stderr: "" });
    expect(resultOf(json)).toMatchObject({
      ...anything,
      status: "error",
      error: { type: "invalid_spec", message: expect.stringContaining(problem) },
    });
  }
});

describe("3", () => {
  const push = [[{ text: "I push." }, { call: { name: "run_shell_command", input: { command: "git push" } } }]];

  test("what would be asked about ends the run, and the message says how to allow it", async () => {
    const replies = [...push, [{ text: "never said" }]];
    const run = await headless(["run", "go"], { replies });
    expect(run.code).toBe(3);
    expect(run.stdout).toBe("I push.\n");
    expect(run.stderr).toBe(
      "agentao run: run_shell_command (git push) needs a permission, and nobody can be asked here. " +
        "To allow it: --allow 'run_shell_command(git push)'\n",
    );
  });

  test("the result names the tool and the call", async () => {
    const run = await headless(["run", "--format", "json", "go"], { replies: push });
    expect(resultOf(run)).toMatchObject({
      ...inSession,
      error: { type: "permission_required", tool_name: "run_shell_command", tool_call_id: expect.any(String) },
      partial_text: "I push.",
      tool_calls: 1,
    });
  });

  test("what the mode forbids ends it, too", async () => {
    const write = [[{ call: { name: "write_file", input: { file_path: "a.txt", content: "a" } } }], [{ text: "x" }]];
    const run = await headless(["run", "--mode", "read-only", "--format", "json", "go"], { replies: write });
    expect(run.code).toBe(3);
    expect(resultOf(run)).toMatchObject({
      error: { type: "permission_denied", tool_name: "write_file", message: expect.stringContaining("read-only") },
    });
  });

  test("a question of the model ends it", async () => {
    const replies = [[{ call: { name: "ask_user", input: { question: "Tabs or spaces?" } } }], [{ text: "Tabs." }]];
    const run = await headless(["run", "--format", "json", "go"], { replies });
    expect(run.code).toBe(3);
    expect(resultOf(run)).toMatchObject({ error: { type: "interaction_required", question: "Tabs or spaces?" } });
  });
});

describe("4", () => {
  const steps = ["a", "b", "c"].map((path) => [{ call: { name: "read_file", input: { file_path: path } } }]);

  test("too many steps", async () => {
    const run = await headless(["run", "--max-turns", "2", "--format", "json", "go"], { replies: steps });
    expect(run.code).toBe(4);
    expect(resultOf(run)).toMatchObject({
      ...inSession,
      error: { type: "max_iterations", message: "the agent was not done after 2 steps (--max-turns)" },
      tool_calls: 2,
    });
  });

  test("too much money", async () => {
    const usage = { usage: { inputTokens: 1, outputTokens: 1, cost: 0.4 } };
    const replies = steps.map((step) => [...step, usage]);
    const run = await headless(["run", "--max-cost", "0.5", "--format", "json", "go"], { replies });
    expect(run.code).toBe(4);
    expect(resultOf(run)).toMatchObject({ error: { type: "max_cost" }, usage: { cost_usd: 0.8 } });
  });

  test("a limit on money that nobody can count is told", async () => {
    const replies = [[{ text: "Done." }, { usage: { inputTokens: 1, outputTokens: 1 } }]];
    const told = "--max-cost has no effect: nobody tells what this model costs.";
    const run = await headless(["run", "--max-cost", "0.5", "--format", "json", "go"], { replies });
    expect([run.code, run.stderr]).toEqual([0, `agentao: ${told}\n`]);
    expect(resultOf(run).warnings).toEqual([told]);
  });

  test("too much time after a warning: the warning, when it comes and in the end", async () => {
    const replies = [[{ notice: "The line is bad." }, { stall: true }]];
    const run = await headless(["run", "--timeout", "2s", "go"], { replies });
    expect(run).toEqual({
      code: 4,
      stdout: "",
      stderr:
        "agentao: The line is bad.\nagentao run: stopped after 2 s (--timeout); the last warning: The line is bad.\n",
    });
  });

  test("too much time while standard input does not end", async () => {
    const through = ["bash", "-c", 'sleep 60 | "$@"', "sh"];
    const program = startHeadless(["run", "--timeout", "1s", "--format", "json", "go"], { replies: [], through });
    await until(() => program.stdout.endsWith("}\n"), "the result");
    expect(JSON.parse(program.stdout)).toMatchObject({ ...anything, error: { type: "timeout" } });
  });

  test("too much time: what there is, and the reason", async () => {
    const replies = [[{ text: "Wait for it…" }, { stall: true }]];
    const run = await headless(["run", "--timeout", "2s", "go"], { replies });
    expect(run).toEqual({
      code: 4,
      stdout: "Wait for it…\n",
      stderr: "agentao run: stopped after 2 s (--timeout)\n",
    });
  });
});

describe("130", () => {
  const replies = [[{ text: "So far." }, { stall: true }]];

  test.each(["SIGINT", "SIGTERM"] as const)("%s cancels the turn and gives what there is", async (signal) => {
    const program = startHeadless(["run", "--format", "stream-json", "go"], { replies });
    await program.frame((frame) => "content" in frame && JSON.stringify(frame).includes("far."));
    program.child.kill(signal);
    const run = await ended(program);
    expect(run.code).toBe(130);
    expect(resultOf(run)).toMatchObject({ ...inSession, error: { type: "interrupted" }, partial_text: "So far." });
  });

  test("a run that waits in silence waits until then, and not less", async () => {
    const through = ["bash", "-c", 'exec "$@" < /dev/null', "sh"];
    const program = startHeadless(["run", "--format", "stream-json", "go"], { replies, through });
    await program.frame((frame) => JSON.stringify(frame).includes("far."));
    // Another one, to its end: a program that nothing keeps awake would be over by then.
    await headless(["run", "--timeout", "1s", "go"], { replies });
    program.child.kill("SIGINT");
    expect((await ended(program)).code).toBe(130);
  });

  test("the same as text", async () => {
    const program = startHeadless(["run", "--verbose", "go"], { replies });
    await until(() => program.stderr.includes("Model:"), "the session to open");
    program.child.kill("SIGINT");
    expect(await ended(program)).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("agentao run: interrupted"),
    });
  });

  test("a second signal ends a run that is being cancelled at once", async () => {
    const stubborn = [[{ call: { name: "run_shell_command", input: { command: "sleep 30" } } }]];
    const program = startHeadless(["run", "--mode", "full-access", "--format", "stream-json", "go"], {
      replies: stubborn,
    });
    await program.frame((frame) => JSON.stringify(frame).includes("in_progress"));
    program.child.kill("SIGINT");
    program.child.kill("SIGINT");
    const { code, signal } = await program.ending();
    expect(signal === "SIGINT" || code === 130).toBe(true);
  });
});
