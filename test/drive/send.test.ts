// One prompt for a named agent, which is a real process: every question of it answered, every end of it told.

import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { acpSend } from "../../packages/cli/src/command/acp/send.ts";
import { until } from "../process/until.ts";
import { cli, run } from "./cli.ts";
import { agent, useProject } from "./project.ts";

const project = useProject();

test("prints what the agent says", async () => {
  project.configure({ echo: agent("echo") });
  expect(await project.acp("send", "echo", "two", "words")).toMatchObject({
    code: 0,
    stdout: "Echo: two words\n",
    stderr: "",
  });
});

test("a message after a tool call stands below the one before it", async () => {
  project.configure({ busy: agent("call") });
  expect(await project.acp("send", "busy", "x")).toMatchObject({
    code: 0,
    stdout: "I look\n\nNothing there\n",
    stderr: "[completed] Look\n",
  });
});

test("asks also what begins with a dash, after --", async () => {
  project.configure({ echo: agent("echo") });
  expect((await project.acp("send", "echo", "--", "--help", "me")).stdout).toBe("Echo: --help me\n");
});

test("takes the prompt from stdin", async () => {
  project.configure({ echo: agent("echo") });
  const { stdout } = await run(cli("acp", "send", "echo"), "piped", { cwd: project.folder });
  expect(stdout).toBe("Echo: piped\n");
});

test("on a screen an agent only speaks; a file gets what it said, byte for byte", async () => {
  project.configure({ paint: agent("paint") });
  expect((await project.acp("send", "paint", "x")).stdout).toBe("\u001b[2J\u001b]0;mine\u0007painted\n");
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const { signal } = new AbortController();
  const io = {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: process.env,
    cwd: project.folder,
    signal,
  };
  expect(await acpSend.run(["paint", "x"], io)).toBe(0);
  expect(String(stdout.read())).toBe("painted\n");
});

test("refuses what the agent asks for, and says that somebody was needed", async () => {
  project.configure({ cautious: agent("permission") });
  const { code, stdout, stderr } = await project.acp("send", "cautious", "x");
  expect(code).toBe(3);
  expect(stdout).toContain('"optionId":"no"');
  expect(stderr).toContain('interaction_required: cautious asked "Delete everything" and was refused');
});

test("gives permission with --allow, or where acp.json says so", async () => {
  project.configure({
    cautious: agent("permission"),
    bold: agent("permission", { nonInteractivePolicy: { mode: "accept_all" } }),
  });
  const [allowed, bold] = await Promise.all([
    project.acp("send", "cautious", "x", "--allow"),
    project.acp("send", "bold", "x"),
  ]);
  expect([allowed.code, bold.code]).toEqual([0, 0]);
  expect(allowed.stdout).toContain('"optionId":"yes"');
  expect(bold.stdout).toBe(allowed.stdout);
});

test("answers a question for the person with an error, also with --allow", async () => {
  project.configure({ curious: agent("ask-user") });
  const { code, stdout, stderr } = await project.acp("send", "curious", "x", "--allow");
  expect(code).toBe(3);
  expect(stdout).toContain('"code":-32001');
  expect(stderr).toContain('curious asked "Which one?"');
});

test("answers every request: what is lent by doing it, everything else with an error", async () => {
  writeFileSync(join(project.folder, "note.txt"), "noted");
  project.configure({ plain: agent("every"), lent: agent("every", { lend: ["read", "terminal"] }) });
  const [plain, lent] = await Promise.all([project.acp("send", "plain", "x"), project.acp("send", "lent", "x")]);
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
    "a folder that is not there",
    agent("echo", { cwd: "gone" }),
    2,
    "config_invalid: servers.a.cwd: there is no folder",
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
  project.configure({ a: server });
  const finished = await project.acp("send", "a", "x");
  expect(finished.code).toBe(code);
  expect(finished.stderr).toContain(message);
});

test("a name that is not there is 2, with the names that are", async () => {
  project.configure({ reviewer: agent("echo") });
  expect(await project.acp("send", "reviewr", "x")).toMatchObject({
    code: 2,
    stderr: 'agentao acp send: server_not_found: there is no agent named "reviewr". Did you mean reviewer?\n',
  });
});

test("Ctrl-C cancels the turn, and ends the agent", async () => {
  project.configure({ deaf: agent("deaf") });
  const { child, finished } = project.begin("send", "deaf", "x", "--json");
  await until(() => project.log("deaf").includes("deaf to a prompt"), "the turn runs");
  child.kill("SIGINT");
  const { code, stdout } = await finished;
  expect({ code, stdout }).toEqual({
    code: 130,
    stdout: '{"type":"end","stopReason":"cancelled","interactions":[]}\n',
  });
});

test("time in which the agent waits for what we run for it is no silence", async () => {
  project.configure({ slow: agent("slow", { lend: ["terminal"], requestTimeoutMs: 700 }, "1500") });
  expect(await project.acp("send", "slow", "x")).toMatchObject({ code: 0, stdout: "Echo: x\n", stderr: "" });
});

test("ends with its reader, and the agent with it", async () => {
  project.configure({ flood: agent("flood") });
  const { child, finished } = project.begin("send", "flood", "x");
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await finished).toMatchObject({ code: 1, stderr: "" });
});

test("what an agent writes that is no frame is in its log", async () => {
  project.configure({ chatty: agent("chatty", { startupTimeoutMs: 1500 }) });
  const { stderr } = await project.acp("send", "chatty", "x");
  expect(stderr).toContain("What it writes to stdout is not ACP: does it need an option such as --acp in args?");
  expect(project.log("chatty")).toMatch(/^\[agentao\] .+$/m);
  expect(project.log("chatty").match(/\[agentao\]/g)?.length).toBeLessThanOrEqual(50);
});

test("a project's agent does not take the place of the person's own without their word", async () => {
  const home = join(project.folder, "home");
  mkdirSync(home);
  const configureOwn = (server: object): void =>
    writeFileSync(join(home, "acp.json"), JSON.stringify({ servers: { echo: server } }));
  const acp = (...args: string[]) => run(cli("acp", ...args), "", { cwd: project.folder, env: { AGENTAO_HOME: home } });
  project.configure({ echo: agent("echo") });
  configureOwn(agent("paint"));
  for (const args of [
    ["send", "echo", "hi"],
    ["start", "echo"],
    ["start", "--all"],
  ]) {
    const { code, stdout, stderr } = await acp(...args);
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("echo is another agent in this project's acp.json than in yours, and would run: ");
  }
  configureOwn(agent("echo"));
  expect((await acp("send", "echo", "hi")).stdout).toBe("Echo: hi\n");
});
