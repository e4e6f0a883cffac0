// Named agents as real processes: one prompt, every question answered, supervision, and what is told about it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  cleanUp,
  cli,
  ensureBuilt,
  isAlive,
  type Running,
  run,
  scriptedAgent,
  start,
  temporaryFolder,
  until,
} from "./cli.ts";

let project = "";
beforeEach(() => {
  project = temporaryFolder();
});
beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const acp = (...args: string[]) => run(cli("acp", ...args), "", { cwd: project });

function configure(servers: Record<string, object>): void {
  mkdirSync(join(project, ".agentao"), { recursive: true });
  writeFileSync(join(project, ".agentao", "acp.json"), JSON.stringify({ servers }));
}

const agent = (trick: string, more: object = {}, code = "0"): object => {
  const [command, ...args] = scriptedAgent(trick, code);
  return { command, args, env: {}, cwd: ".", ...more };
};

describe("send", () => {
  test("prints what the agent says", async () => {
    configure({ echo: agent("echo") });
    expect(await acp("send", "echo", "two", "words")).toMatchObject({
      code: 0,
      stdout: "Echo: two words\n",
      stderr: "",
    });
  });

  test("takes the prompt from stdin", async () => {
    configure({ echo: agent("echo") });
    const { stdout } = await run(cli("acp", "send", "echo"), "piped", { cwd: project });
    expect(stdout).toBe("Echo: piped\n");
  });

  test("refuses what the agent asks for, and says that somebody was needed", async () => {
    configure({ cautious: agent("permission") });
    const { code, stdout, stderr } = await acp("send", "cautious", "x");
    expect(code).toBe(3);
    expect(stdout).toContain('"optionId":"no"');
    expect(stderr).toContain('interaction_required: cautious asked "Delete everything" and was refused');
  });

  test("gives permission with --allow, or where acp.json says so", async () => {
    configure({
      cautious: agent("permission"),
      bold: agent("permission", { nonInteractivePolicy: { mode: "accept_all" } }),
    });
    const [allowed, bold] = await Promise.all([acp("send", "cautious", "x", "--allow"), acp("send", "bold", "x")]);
    expect([allowed.code, bold.code]).toEqual([0, 0]);
    expect(allowed.stdout).toContain('"optionId":"yes"');
    expect(bold.stdout).toBe(allowed.stdout);
  });

  test("answers a question for the person with an error, also with --allow", async () => {
    configure({ curious: agent("ask-user") });
    const { code, stdout, stderr } = await acp("send", "curious", "x", "--allow");
    expect(code).toBe(3);
    expect(stdout).toContain('"code":-32001');
    expect(stderr).toContain('curious asked "Which one?"');
  });

  test("answers every request: what is lent by doing it, everything else with an error", async () => {
    writeFileSync(join(project, "note.txt"), "noted");
    configure({ plain: agent("every"), lent: agent("every", { lend: ["read", "terminal"] }) });
    const [plain, lent] = await Promise.all([acp("send", "plain", "x"), acp("send", "lent", "x")]);
    expect(plain.stdout.match(/-32601/g)).toHaveLength(3);
    expect(lent.stdout).toContain('"content":"noted"');
    expect(lent.stdout).toContain('"terminalId"');
    expect(lent.stdout.match(/-32601/g)).toHaveLength(1);
  });

  test.each<[string, object, number, string]>([
    ["a death in the turn", agent("die", {}, "4"), 1, "transport_disconnect: a: the agent"],
    ["a death before the handshake", agent("unready", {}, "4"), 1, "handshake_fail: a did not come up"],
    [
      "an agent that does not come up",
      agent("mute", { startupTimeoutMs: 1500 }),
      1,
      "handshake_fail: a did not come up in 1500 ms",
    ],
    [
      "an agent that falls silent",
      agent("deaf", { requestTimeoutMs: 300 }),
      1,
      "request_timeout: a said nothing for 300 ms",
    ],
    [
      "a program that is not there",
      { command: "no-such-agent", args: [], env: {}, cwd: "." },
      1,
      "process_start_fail: a: cannot start",
    ],
    [
      "a variable that is not set",
      agent("echo", { env: { KEY: "$NOT_SET_ANYWHERE" } }),
      2,
      "config_invalid: servers.a.env.KEY needs NOT_SET_ANYWHERE",
    ],
    ["a refusal of the model", agent("refuse"), 1, "the turn ended: refusal"],
  ])("says what happened: %s", async (_, server, code, message) => {
    configure({ a: server });
    const finished = await acp("send", "a", "x");
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(message);
  });

  test("a name that is not there is 2, with the names that are", async () => {
    configure({ reviewer: agent("echo") });
    expect(await acp("send", "reviewr", "x")).toMatchObject({
      code: 2,
      stderr: 'agentao acp send: server_not_found: there is no agent named "reviewr". Did you mean reviewer?\n',
    });
  });

  test("Ctrl-C cancels the turn, and ends the agent", async () => {
    configure({ deaf: agent("deaf") });
    const { child, finished } = start(cli("acp", "send", "deaf", "x", "--json"), { cwd: project });
    await until(() => readLog("deaf").includes("scripted agent"), "the agent is up");
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    const { code } = await finished;
    expect(code).toBe(130);
  });
});

describe("start", () => {
  const startServer = async (name: string): Promise<Running> => {
    const running = start(cli("acp", "start", name), { cwd: project });
    await until(() => running.stderr().includes(`${name} is ready`), `${name} is ready: ${running.stderr()}`);
    return running;
  };
  const state = (name: string) => JSON.parse(readFileSync(join(project, ".agentao", "acp", `${name}.json`), "utf8"));

  test("runs an agent that send uses, status shows, logs explain and stop ends", async () => {
    configure({ echo: agent("echo"), other: agent("echo", { description: "another one" }) });
    const supervisor = await startServer("echo");
    const { agentPid } = state("echo");

    expect((await acp("list")).stdout).toBe(
      `echo   ready         ${commandLine("echo")}\nother  configured    another one\n`,
    );
    const sent = await acp("send", "echo", "hi");
    expect(sent).toMatchObject({ code: 0, stdout: "Echo: hi\n" });
    expect(readLog("echo").match(/scripted agent/g), "it was not started a second time").toHaveLength(1);
    const [status] = JSON.parse((await acp("status", "echo", "--json")).stdout);
    expect(status).toMatchObject({ name: "echo", state: "ready", agentPid, pid: supervisor.child.pid, restarts: 0 });
    expect((await acp("start", "echo")).stderr).toContain("echo runs already");
    expect((await acp("logs", "echo")).stdout).toBe("scripted agent: echo\n");

    expect(await acp("stop", "echo")).toMatchObject({ code: 0, stdout: "echo is stopped.\n" });
    expect((await supervisor.finished).code).toBe(0);
    expect(isAlive(agentPid)).toBe(false);
    expect(state("echo").state).toBe("stopped");
    expect((await acp("stop", "echo")).stdout).toBe("echo does not run.\n");
  });

  test("starts an agent again that dies in a turn, and remembers why", async () => {
    configure({ frail: agent("die", { maxRecoverableRestarts: 1 }, "3") });
    const supervisor = await startServer("frail");
    const first = state("frail").agentPid;
    expect((await acp("send", "frail", "x")).stderr).toContain("transport_disconnect");
    await until(() => state("frail").state === "ready" && state("frail").agentPid !== first, "it is up again");
    expect(state("frail")).toMatchObject({ restarts: 1, lastError: { code: "transport_disconnect" } });
    await acp("send", "frail", "x");
    expect((await supervisor.finished).code, "the restarts are used up").toBe(1);
    expect(state("frail").state).toBe("failed");
    expect((await acp("status", "frail")).code).toBe(1);
  });

  test("gives up on an agent that does not come up twice in a row", async () => {
    configure({ broken: agent("unready", {}, "1") });
    const { code, stderr } = await acp("start", "broken");
    expect(code).toBe(1);
    expect(stderr.match(/Starting it again/g)).toHaveLength(1);
    expect(stderr).toContain("handshake_fail: broken did not come up");
  });

  test("does not start one again that was killed", async () => {
    configure({ echo: agent("echo") });
    const supervisor = await startServer("echo");
    process.kill(state("echo").agentPid, "SIGKILL");
    expect((await supervisor.finished).code).toBe(1);
    expect(state("echo").state).toBe("failed");
  });

  test("starts one again that was killed in the middle of a turn", async () => {
    configure({ deaf: agent("deaf") });
    await startServer("deaf");
    const sending = acp("send", "deaf", "x");
    await until(() => state("deaf").state === "busy", "the turn runs");
    const { agentPid } = state("deaf");
    process.kill(agentPid, "SIGKILL");
    expect((await sending).stderr).toContain("transport_disconnect: deaf: the agent");
    await until(() => state("deaf").state === "ready" && state("deaf").agentPid !== agentPid, "it is up again");
  });

  test("one whose supervisor was killed is stopped, for everybody who looks, and can be started", async () => {
    configure({ echo: agent("echo") });
    const supervisor = await startServer("echo");
    supervisor.child.kill("SIGKILL");
    await supervisor.finished;
    expect((await acp("status", "echo")).stdout).toContain("its supervisor died without a word");
    expect((await acp("send", "echo", "alone")).stdout).toBe("Echo: alone\n");
    await startServer("echo");
    expect((await acp("list")).stdout).toMatch(/^echo {2}ready/);
  });

  test("one turn at a time: the second is told to come later", async () => {
    configure({ deaf: agent("deaf") });
    await startServer("deaf");
    const first = start(cli("acp", "send", "deaf", "x"), { cwd: project });
    await until(() => state("deaf").state === "busy", "the first turn runs");
    const second = await acp("send", "deaf", "y");
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("server_busy") });
    first.child.kill("SIGINT");
    expect((await first.finished).code).toBe(130);
    await until(() => state("deaf").state === "ready", "it is free again");
  });
});

test("list says what is wrong with acp.json, and what to do", async () => {
  configure({ good: agent("echo"), bad: { command: "x", nonInteractivePolicy: "reject_all" } });
  const { code, stdout, stderr } = await acp("list", "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout).servers.map(({ name }: { name: string }) => name)).toEqual(["good"]);
  expect(stderr).toContain('servers.bad.nonInteractivePolicy is an object. Write { "mode": "reject_all" }');
});

test("logs --follow goes on until Ctrl-C", async () => {
  configure({ echo: agent("echo") });
  await acp("send", "echo", "x");
  const following = start(cli("acp", "logs", "echo", "-f", "-n", "0"), { cwd: project });
  await until(async () => {
    await acp("send", "echo", "y");
    return following.stdout().includes("scripted agent: echo\n");
  }, "new lines");
  following.child.kill("SIGINT");
  expect((await following.finished).code).toBe(0);
});

function readLog(name: string): string {
  try {
    return readFileSync(join(project, ".agentao", "acp", `${name}.log`), "utf8");
  } catch {
    return "";
  }
}

function commandLine(trick: string): string {
  return scriptedAgent(trick, "0").join(" ");
}
