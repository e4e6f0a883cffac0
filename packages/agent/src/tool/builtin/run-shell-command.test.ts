import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CommandOptions, CommandResult } from "../../machine/machine.ts";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { boundTold, MAX_TOLD_CHARS } from "../bound.ts";
import { planTool, previewTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { runShellCommand, runShellCommandInSandbox } from "./run-shell-command.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root, { env: { PATH: "/usr/bin:/bin", NAME: "value" } });
});

afterEach(() => here[Symbol.asyncDispose]());

test("announces the command by its first line, and asks about all of it", () => {
  const command = `npm test\n${"x".repeat(500)}`;

  expect(planTool(runShellCommand, { cmd: command, working_directory: "sub" }, room)).toEqual({
    title: "npm test…",
    kind: "execute",
    locations: [],
    effect: { type: "command", command, cwd: join(here.root, "sub") },
  });
  expect(planTool(runShellCommand, { command: "x".repeat(500) }, room).title).toBe(`${"x".repeat(119)}…`);
});

test.each([
  ["npm test", []],
  ["one\ntwo", [text("```sh\none\ntwo\n```")]],
  [`echo ok${" ".repeat(200)}; touch x`, [text(`\`\`\`sh\necho ok${" ".repeat(200)}; touch x\n\`\`\``)]],
  ["echo \u202e ```", [text("````sh\necho \\u202e ```\n````")]],
])("shows all of %j before it runs where the title does not", async (command, shown) => {
  expect(await previewTool(runShellCommand, { command }, room)).toEqual(shown);
});

test("refuses an empty command", () => {
  expect(runShellCommand.parse({ command: " " })).toEqual({ problem: "command must not be empty" });
});

describe.skipIf(process.platform === "win32")("told and shown", () => {
  test("is the output with the exit code", async () => {
    expect(await runTool(runShellCommand, { command: "echo out; echo err >&2; echo $NAME" }, room)).toEqual({
      failed: false,
      told: [text("STDOUT:\nout\nerr\nvalue\n\nExit code: 0")],
      content: [text("```\nout\nerr\nvalue\n```")],
    });
  });

  test("is a failure when the exit code is not 0", async () => {
    expect(await runTool(runShellCommand, { command: "echo no; exit 2" }, room)).toEqual({
      failed: true,
      told: [text("STDOUT:\nno\n\nExit code: 2")],
      content: [text("```\nno\n```"), text("Exit code: 2")],
    });
  });

  test("is a failure when a signal ended it", async () => {
    expect(await runTool(runShellCommand, { command: "kill -KILL $$" }, room)).toEqual({
      failed: true,
      told: [
        text("Command ended with no output.\n\nSignal: SIGKILL (killed from outside, often because memory ran out)"),
      ],
      content: [text("Signal: SIGKILL (killed from outside, often because memory ran out)")],
    });
  });

  test("is that there was no output", async () => {
    expect(await runTool(runShellCommand, { command: "true" }, room)).toEqual({
      failed: false,
      told: [text("Command completed with no output.")],
      content: [],
    });
  });

  test("is that it took too long, with what there was", async () => {
    const outcome = await runTool(runShellCommand, { command: "echo begun; exec sleep 60", timeout: 1 }, room);

    expect(outcome.failed).toBe(true);
    expect(told(outcome)).toMatch(/^Command timed out after 1s of inactivity\.\n\nSTDOUT:\nbegun\n\nIt was ended /);
    expect(outcome.content).toEqual([text("```\nbegun\n```"), text("Command timed out after 1s of inactivity.")]);
  });

  test("is that it was cancelled", async () => {
    const stop = new AbortController();
    const impatient = { ...room, show: () => stop.abort() };

    const outcome = await runTool(runShellCommand, { command: "echo begun; exec sleep 60" }, impatient, stop.signal);

    expect(outcome.failed).toBe(true);
    expect(told(outcome)).toBe("Command was cancelled.\n\nSTDOUT:\nbegun");
  });

  test("is, of long output, head and tail and where the rest is, without being bounded again", async () => {
    const outcome = await runTool(runShellCommand, { command: "seq 1 100000" }, room);

    expect(told(outcome)).toMatch(/\n\[… [\d,]+ characters left out here; the whole output can be read in .+ …\]\n/);
    expect(told(outcome).length).toBeLessThan(MAX_TOLD_CHARS);
    expect(boundTold(outcome.told)).toBe(outcome.told);
  });

  test("is, while it runs, the end of the output so far without escape codes", async () => {
    const command = "printf '\\033[1mone\\033[0m\\n'; sleep 0.3; printf '10%%\\r20%%'; sleep 0.3; printf '\\r30%%\\n'";

    await runTool(runShellCommand, { command }, room);

    expect(room.shown).toEqual([[text("```\none\n```")], [text("```\none\n20%\n```")], [text("```\none\n30%\n```")]]);
  });

  test("is bounded while it floods", async () => {
    await runTool(runShellCommand, { command: "seq 1 300000" }, room);

    const longest = Math.max(...room.shown.map(([part]) => (part?.type === "text" ? part.text.length : 0)));
    expect(longest).toBeLessThan(17_000);
  });
});

describe.skipIf(process.platform === "win32")("the working directory", () => {
  test("is the session's folder, or one inside the roots", async () => {
    await mkdir(join(here.root, "sub"));

    expect(told(await runTool(runShellCommand, { command: "pwd" }, room))).toContain(`\n${here.root}\n`);
    expect(told(await runTool(runShellCommand, { command: "pwd", cwd: "sub" }, room))).toContain(
      `\n${here.root}/sub\n`,
    );
  });

  test("is refused when it leads out of the roots, or is not there", async () => {
    await symlink(here.outside, join(here.root, "link"));

    for (const working_directory of ["..", "link", "/"]) {
      await expect(runTool(runShellCommand, { command: "pwd", working_directory }, room)).rejects.toThrow(
        /^PathPolicy/,
      );
    }
    await expect(runTool(runShellCommand, { command: "pwd", working_directory: "none" }, room)).rejects.toThrow(
      `The working directory ${join(here.root, "none")} does not exist`,
    );
  });
});

test("shows the terminal of a client instead of the output", async () => {
  const asked: unknown[] = [];
  const run = async (command: string, options: CommandOptions): Promise<CommandResult> => {
    asked.push({ command, cwd: options.cwd, env: options.env, inactivityMs: options.inactivityMs });
    options.onTerminal?.("term_1");
    options.onOutput?.("output");
    return { output: "output\n", exitCode: 0, signal: null, ended: "by-itself" };
  };
  const terminal = [{ type: "terminal", terminalId: "term_1" }];

  const outcome = await runTool(runShellCommand, { command: "x" }, { ...room, machine: { ...here.machine, run } });

  expect(asked).toEqual([{ command: "x", cwd: here.root, env: room.env, inactivityMs: 120_000 }]);
  expect(room.shown).toEqual([terminal]);
  expect(outcome).toEqual({ failed: false, told: [text("STDOUT:\noutput\n\nExit code: 0")], content: terminal });
});

describe("with a sandbox", () => {
  const policy = { writable: ["/p"], network: false };
  const active = { type: "active", policy, isAsked: false } as const;
  const leave = { command: "npm install", outside_sandbox: true, reason: " it needs the registry " };
  let ran: (CommandOptions["sandbox"] | "none")[];
  let result: CommandResult;

  const inRoom = (sandbox: ScriptedRoom["sandbox"]): ScriptedRoom => {
    const run = async (_: string, options: CommandOptions): Promise<CommandResult> => {
      ran.push(options.sandbox ?? "none");
      return result;
    };
    return { ...scriptedRoom({ ...here.machine, run }, here.root, { sandbox }) };
  };

  beforeEach(() => {
    ran = [];
    result = { output: "", exitCode: 0, signal: null, ended: "by-itself" };
  });

  test("a command runs inside, and says so", async () => {
    const confined = inRoom(active);

    expect(planTool(runShellCommandInSandbox, { command: "npm test" }, confined)).toMatchObject({
      title: "npm test",
      effect: { type: "command", command: "npm test", cwd: here.root, sandboxed: true },
    });
    expect(await previewTool(runShellCommandInSandbox, { command: "npm test" }, confined)).toEqual([]);
    await runTool(runShellCommandInSandbox, { command: "npm test" }, confined);
    expect(ran).toEqual([policy]);
  });

  test("that only the project wants, a command runs inside and is asked about all the same", async () => {
    const confined = inRoom({ ...active, isAsked: true });

    expect(planTool(runShellCommandInSandbox, { command: "npm test" }, confined).effect).toEqual({
      type: "command",
      command: "npm test",
      cwd: here.root,
    });
    await runTool(runShellCommandInSandbox, { command: "npm test" }, confined);
    expect(ran).toEqual([policy]);
  });

  test("a command may ask to run outside, with a reason that the person sees", async () => {
    const confined = inRoom(active);

    expect(planTool(runShellCommandInSandbox, leave, confined)).toMatchObject({
      title: "npm install (outside the sandbox)",
      effect: { sandboxed: false, reason: "it needs the registry" },
    });
    expect(await previewTool(runShellCommandInSandbox, leave, confined)).toEqual([
      text("Runs outside the sandbox: it needs the registry"),
    ]);
    await runTool(runShellCommandInSandbox, leave, confined);
    expect(ran).toEqual(["none"]);
    expect(runShellCommandInSandbox.parse({ command: "x", outside_sandbox: true })).toEqual({
      problem: "reason is required with outside_sandbox",
    });
  });

  test("that is not there, a command says that it is not confined", async () => {
    const open = inRoom({ type: "unavailable", why: "bubblewrap (bwrap) is not installed" });

    expect(planTool(runShellCommand, { command: "npm test" }, open)).toMatchObject({
      title: "npm test (not sandboxed)",
      effect: { type: "command", command: "npm test", cwd: here.root },
    });
    expect(await previewTool(runShellCommand, { command: "npm test" }, open)).toEqual([
      text("Not sandboxed: bubblewrap (bwrap) is not installed"),
    ]);
  });

  test("whether it can be left is in the schema only where it is there", () => {
    expect(JSON.stringify(runShellCommand.inputSchema)).not.toContain("outside_sandbox");
    expect(JSON.stringify(runShellCommandInSandbox.inputSchema)).toContain("outside_sandbox");
  });

  test.each([
    { output: "touch: Read-only file system\n", network: false, hint: /write in the project and in \/tmp only/ },
    { output: "Could not resolve host: x\n", network: false, hint: /has no network there/ },
    { output: "Could not resolve host: x\n", network: true, hint: /Exit code: 1$/ },
    { output: "2 tests failed\n", network: false, hint: /Exit code: 1$/ },
  ])("a failure that looks like its work comes with a way out: $output", async ({ output, network, hint }) => {
    result = { output, exitCode: 1, signal: null, ended: "by-itself" };
    const confined = inRoom({ ...active, policy: { ...policy, network } });

    expect(told(await runTool(runShellCommandInSandbox, { command: "x" }, confined))).toMatch(hint);
    expect(told(await runTool(runShellCommandInSandbox, { ...leave, command: "x" }, confined))).toMatch(
      /Exit code: 1$/,
    );
  });

  test("a command in the background runs inside, too", async () => {
    const run = async (_: string, options: CommandOptions): Promise<CommandResult> => {
      ran.push(options.sandbox ?? "none");
      options.onStart?.(7);
      return result;
    };
    const confined = scriptedRoom({ ...here.machine, run }, here.root, { sandbox: active });

    await runTool(runShellCommandInSandbox, { command: "npm start", is_background: true }, confined);

    expect(ran).toEqual([policy]);
  });
});
