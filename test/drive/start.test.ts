// Named agents that keep running: used, looked at, stopped, and started again when they die.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { scriptedAgent } from "./cli.ts";
import { agent, useProject } from "./project.ts";

const project = useProject();

test("runs an agent that send uses, status shows, logs explain and stop ends", async () => {
  project.configure({ echo: agent("echo"), other: agent("echo", { description: "another one" }) });
  const supervisor = await project.startServer("echo");
  const { agentPid } = project.state("echo");

  expect((await project.acp("list")).stdout).toBe(
    `echo   ready         ${scriptedAgent("echo", "0").join(" ")}\nother  configured    another one\n`,
  );
  const sent = await project.acp("send", "echo", "hi");
  expect(sent).toMatchObject({ code: 0, stdout: "Echo: hi\n" });
  expect(project.log("echo").match(/scripted agent/g), "it was not started a second time").toHaveLength(1);
  const [status] = JSON.parse((await project.acp("status", "echo", "--json")).stdout);
  const { since, socket, ...rest } = status;
  expect(rest).toEqual({ name: "echo", state: "ready", agentPid, pid: supervisor.child.pid, restarts: 0 });
  expect((await project.acp("status", "echo")).stdout).toMatch(/^echo: ready since \d{4}-\d\d-\d\d \d\d:\d\d\n/);
  expect((await project.acp("start", "echo")).stderr).toContain("echo runs already");
  expect((await project.acp("logs", "echo")).stdout).toBe("scripted agent: echo\n");

  expect(await project.acp("stop", "echo")).toMatchObject({ code: 0, stdout: "echo is stopped.\n" });
  expect((await supervisor.finished).code).toBe(0);
  expect(isAlive(agentPid)).toBe(false);
  expect(project.state("echo").state).toBe("stopped");
  expect((await project.acp("stop", "echo")).stdout).toBe("echo does not run.\n");
});

test("stop --all ends every one that runs, and nothing else", async () => {
  project.configure({ one: agent("echo"), other: agent("echo"), idle: agent("echo") });
  const supervisors = await Promise.all([project.startServer("one"), project.startServer("other")]);
  const { code, stdout } = await project.acp("stop", "--all");
  expect({ code, lines: stdout.split("\n").sort() }).toEqual({
    code: 0,
    lines: ["", "one is stopped.", "other is stopped."],
  });
  for (const { finished } of supervisors) expect((await finished).code).toBe(0);
  expect(await project.acp("stop", "--all")).toMatchObject({ code: 0, stdout: "No agent runs here.\n" });
});

test("starts an agent again that dies in a turn, and remembers why", async () => {
  project.configure({ frail: agent("die", { maxRecoverableRestarts: 1 }, "3") });
  const supervisor = await project.startServer("frail");
  const first = project.state("frail").agentPid;
  expect((await project.acp("send", "frail", "x")).stderr).toContain("transport_disconnect");
  await until(
    () => project.state("frail").state === "ready" && project.state("frail").agentPid !== first,
    "it is up again",
  );
  expect(project.state("frail")).toMatchObject({ restarts: 1, lastError: { code: "transport_disconnect" } });
  await project.acp("send", "frail", "x");
  expect((await supervisor.finished).code, "the restarts are used up").toBe(1);
  expect(project.state("frail").state).toBe("failed");
  expect((await project.acp("status", "frail")).code).toBe(1);
});

test("gives up on an agent that does not come up twice in a row", async () => {
  project.configure({ broken: agent("unready", {}, "1") });
  const { code, stderr } = await project.acp("start", "broken");
  expect(code).toBe(1);
  expect(stderr.match(/Starting it again/g)).toHaveLength(1);
  expect(stderr).toContain("handshake_fail: broken did not come up");
});

test("does not start one again that was killed", async () => {
  project.configure({ echo: agent("echo") });
  const supervisor = await project.startServer("echo");
  process.kill(project.state("echo").agentPid, "SIGKILL");
  expect((await supervisor.finished).code).toBe(1);
  expect(project.state("echo").state).toBe("failed");
});

test("starts one again that was killed in the middle of a turn", async () => {
  project.configure({ deaf: agent("deaf") });
  await project.startServer("deaf");
  const sending = project.acp("send", "deaf", "x");
  await until(() => project.state("deaf").state === "busy", "the turn runs");
  const { agentPid } = project.state("deaf");
  process.kill(agentPid, "SIGKILL");
  expect((await sending).stderr).toContain("transport_disconnect: deaf: the agent");
  await until(
    () => project.state("deaf").state === "ready" && project.state("deaf").agentPid !== agentPid,
    "it is up again",
  );
});

test("one whose supervisor was killed is stopped, for everybody who looks, and can be started", async () => {
  project.configure({ echo: agent("echo") });
  const supervisor = await project.startServer("echo");
  supervisor.child.kill("SIGKILL");
  await supervisor.finished;
  expect((await project.acp("status", "echo")).stdout).toContain("its supervisor died without a word");
  expect((await project.acp("send", "echo", "alone")).stdout).toBe("Echo: alone\n");
  await project.startServer("echo");
  expect((await project.acp("list")).stdout).toMatch(/^echo {2}ready/);
});

test("one turn at a time: the second is told to come later", async () => {
  project.configure({ deaf: agent("deaf") });
  await project.startServer("deaf");
  const first = project.begin("send", "deaf", "x");
  await until(() => project.state("deaf").state === "busy", "the first turn runs");
  const second = await project.acp("send", "deaf", "y");
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("server_busy") });
  first.child.kill("SIGINT");
  expect((await first.finished).code).toBe(130);
  await until(() => project.state("deaf").state === "ready", "it is free again");
});
test("list says what is wrong with acp.json, and what to do", async () => {
  project.configure({ good: agent("echo"), bad: { command: "x", nonInteractivePolicy: "reject_all" } });
  const { code, stdout, stderr } = await project.acp("list", "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout).servers.map(({ name }: { name: string }) => name)).toEqual(["good"]);
  expect(stderr).toContain('servers.bad.nonInteractivePolicy is an object. Write { "mode": "reject_all" }');
});

test("status says what is wrong with acp.json, too, and not that there is nothing", async () => {
  project.configure({ bad: { command: 7 } });
  const { code, stdout, stderr } = await project.acp("status");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("servers.bad.command is missing");
});

test("logs --follow waits for an agent that was never started", async () => {
  project.configure({ echo: agent("echo") });
  const following = project.begin("logs", "echo", "-f");
  await until(() => existsSync(join(project.folder, ".agentao", "acp")), "it waits");
  await project.acp("send", "echo", "x");
  await until(() => following.stdout() === "scripted agent: echo\n", "what it wrote");
  following.child.kill("SIGINT");
  expect((await following.finished).code).toBe(0);
});

test("logs --follow goes on until Ctrl-C", async () => {
  project.configure({ echo: agent("echo") });
  await project.acp("send", "echo", "x");
  const following = project.begin("logs", "echo", "-f", "-n", "0");
  await until(async () => {
    await project.acp("send", "echo", "y");
    return following.stdout().includes("scripted agent: echo\n");
  }, "new lines");
  following.child.kill("SIGINT");
  expect((await following.finished).code).toBe(0);
});
