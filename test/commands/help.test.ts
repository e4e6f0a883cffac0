// What the program says of itself.

import { afterEach, beforeAll, expect, test } from "vitest";
import { commands } from "../../packages/cli/src/command/index.ts";
import { cleanUp } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { runProgram } from "../program/run-program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

test("agentao --help and agentao help list every command", async () => {
  const [flag, word] = await Promise.all([runProgram(["--help"]), runProgram(["help"])]);
  expect(flag).toMatchObject({ code: 0, stderr: "" });
  expect(word).toEqual(flag);
  for (const name of Object.keys(commands)) expect(flag.stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, "m"));
});

test("agentao help COMMAND is agentao COMMAND --help", async () => {
  const [one, other] = await Promise.all([runProgram(["help", "sessions"]), runProgram(["sessions", "--help"])]);
  expect(one).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("agentao sessions prune --older-than AGE"),
  });
  expect(other).toEqual(one);
});

test("says nothing when whoever reads has gone away", async () => {
  const through = ["/bin/sh", "-c", '"$@" | { exec <&-; sleep 1; }', "sh"];
  const { stdout, stderr } = await runProgram(["models", "--all"], { through });
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
});
