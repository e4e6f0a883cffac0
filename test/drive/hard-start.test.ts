// Named agents that keep running, when everything goes wrong: those who use them die, others start at once, paths are long.

import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import type { Running } from "./cli.ts";
import { agent, useProject } from "./project.ts";

const project = useProject();

test("one that goes on with a cancelled turn is ended, and started again", async () => {
  project.configure({ stubborn: agent("stubborn", { requestTimeoutMs: 200 }) });
  const supervisor = await project.startServer("stubborn");
  const { agentPid } = project.state("stubborn");
  expect((await project.acp("send", "stubborn", "x")).stderr).toContain(
    "request_timeout: stubborn said nothing for 200 ms",
  );
  await until(
    () => project.state("stubborn").state === "ready" && project.state("stubborn").agentPid !== agentPid,
    "it is up again",
  );
  expect(isAlive(agentPid)).toBe(false);
  expect(supervisor.stderr()).toContain("stubborn: it did not end a turn that was cancelled");
});

test("somebody who dies in the middle of his turn takes nobody with him", async () => {
  project.configure({ flood: agent("flood") });
  const supervisor = await project.startServer("flood");
  const first = project.state("flood").agentPid;
  const sending = project.begin("send", "flood", "x");
  await once(sending.child.stdout, "data");
  sending.child.stdout.pause();
  sending.child.kill("SIGKILL");
  await until(
    () => project.state("flood").state === "ready" && project.state("flood").agentPid !== first,
    "it can be used again",
  );
  expect(supervisor.child.exitCode).toBeNull();
});

test("of several that start at once one runs, and the others say so", async () => {
  project.configure({ echo: agent("echo") });
  const all = Array.from({ length: 4 }, () => project.begin("start", "echo"));
  const said = (text: string): Running[] => all.filter(({ stderr }) => stderr().includes(text));
  await until(() => said("echo is ready").length + said("echo runs already").length === 4, "all have said something");
  expect(said("echo is ready")).toHaveLength(1);
  expect(project.log("echo")).toBe("scripted agent: echo\n");
  expect((await project.acp("stop", "echo")).stdout).toBe("echo is stopped.\n");
  await Promise.all(all.map(({ finished }) => finished));
});

test("what is left of one that was killed is in nobody's way, and nobody's to read", async () => {
  project.configure({ echo: agent("echo") });
  const supervisor = await project.startServer("echo");
  supervisor.child.kill("SIGKILL");
  await supervisor.finished;
  const { socket } = project.state("echo");
  expect(existsSync(socket)).toBe(true);
  await project.startServer("echo");
  const modes = [join(project.folder, ".agentao", "acp"), socket].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect((await project.acp("send", "echo", "hi")).stdout).toBe("Echo: hi\n");
  await project.acp("stop", "echo");
  expect(existsSync(socket)).toBe(false);
});

test("a project may have any path, also one that is too long for a socket", async () => {
  project.folder = join(project.folder, "d".repeat(120), "e".repeat(120));
  project.configure({ echo: agent("echo") });
  await project.startServer("echo");
  expect((await project.acp("send", "echo", "hi")).stdout).toBe("Echo: hi\n");
  expect(project.log("echo"), "it was not started a second time").toBe("scripted agent: echo\n");
  expect((await project.acp("stop", "echo")).stdout).toBe("echo is stopped.\n");
});

test("--all starts those that may be; each is stopped by itself", async () => {
  project.configure({ one: agent("echo"), two: agent("echo"), three: agent("echo", { autoStart: false }) });
  const supervisor = project.begin("start", "--all");
  await until(() => /one is ready/.test(supervisor.stderr()) && /two is ready/.test(supervisor.stderr()), "both run");
  expect((await project.acp("stop", "one")).stdout).toBe("one is stopped.\n");
  expect((await project.acp("list")).stdout.match(/^\w+ +\w+/gm)).toEqual([
    "one    stopped",
    "two    ready",
    "three  configured",
  ]);
  expect((await project.acp("stop", "two", "three")).stdout.trimEnd().split("\n").toSorted()).toEqual([
    "three does not run.",
    "two is stopped.",
  ]);
  expect((await supervisor.finished).code).toBe(0);
});
