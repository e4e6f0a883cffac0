// From nothing to a model that answers, by the program's own commands.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { runProgram } from "../program/run-program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

test("init, config, models and doctor agree on what was chosen", async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const env = { OPENAI_API_KEY: "sk-test-0123456789", ANTHROPIC_API_KEY: undefined };
  const run = (...args: string[]) => runProgram(args, { home, cwd, env });

  const made = await run("init", "--provider", "openai", "--model", "gpt-6.1-terra", "--yes");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("New sessions begin with openai/gpt-6.1-terra.\n");
  expect(statSync(join(home, "settings.json")).mode & 0o777).toBe(0o600);

  expect(await run("config", "set", "mode", "read-only")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("config", "get", "model")).toEqual({ code: 0, stdout: "openai/gpt-6.1-terra\n", stderr: "" });
  expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))).toEqual({
    model: "openai/gpt-6.1-terra",
    mode: "read-only",
  });
  const models = JSON.parse((await run("models", "--json")).stdout);
  expect(models).toMatchObject({ default: "openai/gpt-6.1-terra" });
  const { code, stdout } = await run("doctor", "--json");
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({ code: 0, report: { ok: true } });
  expect(stdout).not.toContain("sk-test-0123456789");
});

test("a broken file is found by validate and doctor, and written over by nobody", async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const path = join(home, "settings.json");
  writeFileSync(path, '{ "model": ');
  const run = (...args: string[]) => runProgram(args, { home, cwd });
  expect(await run("config", "validate")).toEqual({
    code: 1,
    stdout: `BROKEN   settings  ${path} is not JSON (line 1, column 12), so it is not used. It ends too early.\n`,
    stderr: "",
  });
  expect(await run("doctor")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("is not JSON (line 1, column 12)"),
  });
  expect(await run("config", "set", "mode", "plan")).toMatchObject({ code: 1, stdout: "" });
  expect(await run("init", "--provider", "openai", "--yes")).toMatchObject({ code: 1, stdout: "" });
  expect(readFileSync(path, "utf8")).toBe('{ "model": ');
});

test("a command line that makes no sense is answered with a hint and exit code 2", async () => {
  expect(await runProgram(["sesions"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'agentao: there is no command "sesions"; did you mean sessions?\nTry "agentao --help".\n',
  });
  expect(await runProgram(["config", "get"])).toMatchObject({ code: 2, stdout: "" });
});

test("doctor tells of a file that is nested without end, and looks at the rest", async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(home, "settings.json"), `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  const { stdout, stderr } = await runProgram(["doctor"], { home, cwd });
  expect(stderr).toBe("");
  expect(stdout.replace(/\s+/g, " ")).toContain("is nested deeper than 100 levels.");
});
