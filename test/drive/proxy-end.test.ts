// How a proxy ends: as its agent does, with its client, by a signal; and what it is not kept by.

import { once } from "node:events";
import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp } from "../process/clean-up.ts";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "../program/built.ts";
import { hello, node, open, prompt, proxy, recordingFile, recordingOf, run, scriptedAgent, start } from "./cli.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

test("the agent's exit code is ours, and its last words come first", async () => {
  const { child, finished } = start(proxy("--quiet", "--", ...scriptedAgent("die", "7")));
  child.stdin.write(hello + open + prompt(2, "x"));
  const { code, stdout, stderr } = await finished;
  expect(code).toBe(7);
  expect(stdout).toContain("I am going");
  expect(stderr).toBe("scripted agent: die\nlast words of the agent\n");
});

test("an agent that is killed gives 128 and the signal, and what it left open is told", async () => {
  const file = recordingFile();
  const { child, finished } = start(
    proxy("--record", file, "--", ...node("process.stdin.once('data', () => process.kill(process.pid, 'SIGKILL'))")),
  );
  child.stdin.write(hello);
  const { code, stderr } = await finished;
  expect(code).toBe(137);
  expect(stderr).toContain("never answered: initialize of the client");
  expect(recordingOf(file).at(-1)).toMatchObject({
    type: "end",
    by: "agent",
    signal: "SIGKILL",
    unanswered: [{ from: "client", method: "initialize", id: 0 }],
  });
});

test("a client that ends its input ends the agent", async () => {
  const { code, stdout } = await run(proxy("--", ...scriptedAgent()), hello + open + prompt(2, "bye"));
  expect(code).toBe(0);
  expect(stdout.split("\n")).toHaveLength(5);
});

test("a client that dies takes the agent with it, also one that does not look at its input", async () => {
  const { child, finished } = start(
    proxy("--", ...node("console.log(process.pid); setInterval(() => console.log('x'), 20)")),
  );
  const pid = await new Promise<number>((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(Number.parseInt(chunk.toString(), 10)));
  });
  child.stdout.destroy();
  child.stdin.destroy();
  await finished;
  await until(() => !isAlive(pid), "the agent is gone");
});

test("Ctrl-C reaches the agent, whose answer to it is the exit code", async () => {
  const { child, finished, stdout } = start(
    proxy(
      "--quiet",
      "--",
      ...node("process.on('SIGINT', () => process.exit(5)); console.log(1); setInterval(() => {}, 1e3)"),
    ),
  );
  await until(() => stdout() === "1\n", "the agent is up");
  child.kill("SIGINT");
  expect((await finished).code).toBe(5);
});

test("an agent that ignores signals is killed", async () => {
  const { child, finished, stdout } = start(
    proxy(
      "--quiet",
      "--",
      ...node("process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1e3)"),
    ),
  );
  await until(() => stdout().endsWith("\n"), "the agent is up");
  child.kill("SIGTERM");
  expect((await finished).code).toBe(137);
  expect(isAlive(Number(stdout()))).toBe(false);
});

test("what an agent leaves behind does not keep us", async () => {
  const begun = performance.now();
  const { code, stdout } = await run(proxy("--quiet", "--", "sh", "-c", "sleep 20 & echo said; exit 4"));
  expect({ code, stdout }).toEqual({ code: 4, stdout: "said\n" });
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test("an agent that closes its output and goes on is heard no more at once", async () => {
  const { child, finished } = start(proxy("--quiet", "--", "sh", "-c", "echo said; exec >&-; read line; exit 6"));
  await once(child.stdout, "end");
  expect(child.exitCode).toBeNull();
  child.stdin.end("go\n");
  expect(await finished).toMatchObject({ code: 6, stdout: "said\n" });
});

test("nobody has to read the agent's stderr", async () => {
  const flood =
    "for (let i = 0; i < 3000; i++) process.stderr.write('x'.repeat(1000)); process.stdin.pipe(process.stdout)";
  const { child, finished } = start(proxy("--", ...node(flood)));
  await once(child.stderr, "data");
  child.stderr.destroy();
  child.stdin.end(hello);
  expect(await finished).toMatchObject({ code: 0, stdout: hello });
});

test("a recording that cannot be written is 2, and nothing is started", async () => {
  const { code, stdout, stderr } = await run(proxy("--record", "/none/x", "--", "echo", "started"));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    "agentao acp proxy: cannot write the recording: ENOENT: no such file or directory, open '/none/x'\n",
  );
});

test("what follows -- belongs to the agent, also --help", async () => {
  const show = ["-e", "console.log(process.argv.slice(1).join())", "--", "--help", "-h"];
  const { code, stdout } = await run(proxy("--quiet", "--", process.execPath, ...show));
  expect({ code, stdout }).toEqual({ code: 0, stdout: "--help,-h\n" });
});

test("a program that is not there is 127, and said", async () => {
  const { code, stderr } = await run(proxy("--", "no-such-agent"));
  expect(code).toBe(127);
  expect(stderr).toBe(
    "agentao acp proxy: cannot start no-such-agent: there is no such program. Is it installed and on the PATH?\n",
  );
});
