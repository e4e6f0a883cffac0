// Commands in a sandbox: nobody is asked about what it holds, and leaving it is a question with a reason.

import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localMachine } from "@agentao/agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { probeSandbox } from "../../packages/agent/src/machine/sandbox-probe.ts";
import { call, type Script, text } from "../../packages/agent/src/model/script.ts";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { isAlive } from "../process/process-mark.ts";
import { ensureBuilt } from "../program/built.ts";
import { startReady, toPrompt } from "../program/program.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, resultsOf, toldOf } from "./seen.ts";

const probe = await probeSandbox();
const canConfine = probe.available && probe.type === "bubblewrap";
const skipped = canConfine ? "" : ` (skipped: ${probe.available ? "not bubblewrap" : probe.why})`;

const CHOICE = { network: false, readOnly: false, writable: [], isAsked: false };
const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };

const shell = (command: string, more: object = {}) => call("run_shell_command", { command, ...more });

/** Not below the folder for temporary files, of which a sandbox has its own. */
let outside: string;
/** Where pipes for the next command may still be made when a session is closed, so it is taken away patiently. */
let spillFolder: string;

beforeEach(async () => {
  outside = await realpath(await mkdtemp("/var/tmp/agentao-sandbox-"));
  spillFolder = await realpath(await mkdtemp(join(tmpdir(), "agentao-spill-")));
});

afterEach(async () => {
  for (const folder of [outside, spillFolder]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Setup {
  readonly choice?: Partial<typeof CHOICE>;
  readonly answer?: string;
}

function connect(script: Script, { choice, answer }: Setup = {}): Promise<Scripted> {
  const config = async () => ({ env: { ...ENV, HOME: outside }, sandbox: { ...CHOICE, ...choice } });
  const machine = (roots: readonly string[]) => localMachine({ roots, spillFolder });
  return connectScripted({ script, answer, runtime: { config, machine } });
}

function statuses({ heard }: Scripted): unknown[] {
  return only(
    heard.map(({ update }) => update),
    "tool_call_update",
  ).flatMap(({ status }) => (status === "completed" || status === "failed" ? [status] : []));
}

describe.skipIf(!canConfine)(`in a sandbox${skipped}`, () => {
  test("a command that changes the project runs without a question", async () => {
    await using scripted = await connect([[shell("echo made > made; cat made")], [text("ok")]]);

    const { updates } = await scripted.prompt(await scripted.open(), "go");

    expect(scripted.asked).toEqual([]);
    expect(only(updates, "tool_call")).toMatchObject([{ title: "echo made > made; cat made", kind: "execute" }]);
    expect(toldOf(scripted)).toBe("STDOUT:\nmade\n\nExit code: 0");
    expect(await scripted.get("made")).toBe("made\n");
  });

  test("the model knows how to leave it, and does not where there is none", async () => {
    await using confined = await connect([[text("ok")]]);
    await using free = await connectScripted({ script: [[text("ok")]] });

    for (const scripted of [confined, free]) await scripted.prompt(await scripted.open(), "go");

    const schemaOf = ({ model }: Scripted) =>
      JSON.stringify(model.asked[0]?.tools.find(({ name }) => name === "run_shell_command"));
    expect(schemaOf(confined)).toContain("outside_sandbox");
    expect(schemaOf(free)).not.toMatch(/sandbox/i);
  });

  test("writing outside fails, and the model is told how to ask for it", async () => {
    await using scripted = await connect([[shell(`echo x > ${outside}/file`)], [text("ok")]]);

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toMatch(
      /Read-only file system\n\nExit code: 1\n\nThis may be the sandbox: a command can write in the project .*run it again with outside_sandbox and a reason; the user is asked\.$/,
    );
    expect(statuses(scripted)).toEqual(["failed"]);
    expect(existsSync(join(outside, "file"))).toBe(false);
    expect(scripted.asked).toEqual([]);
  });

  test.each([
    ["allow_once", ["completed"], true],
    ["reject_once", ["failed"], false],
  ])("leaving it is asked with the reason: %s", async (answer, expected, isThere) => {
    const command = `echo x > ${outside}/file`;
    const input = { outside_sandbox: true, reason: "the file belongs there" };
    await using scripted = await connect([[shell(command, input)], [text("ok")]], { answer });

    await scripted.prompt(await scripted.open(), "go");

    expect(scripted.asked.map(({ toolCall }) => toolCall)).toMatchObject([
      {
        title: `${command} (outside the sandbox)`,
        rawInput: { command, ...input },
        content: [
          { type: "content", content: { type: "text", text: "Runs outside the sandbox: the file belongs there" } },
        ],
      },
    ]);
    expect(statuses(scripted)).toEqual(expected);
    expect(existsSync(join(outside, "file"))).toBe(isThere);
  });

  test("leaving it without a reason is no question, but a mistake", async () => {
    await using scripted = await connect([[shell("ls", { outside_sandbox: true })], [text("ok")]]);

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toBe("reason is required with outside_sandbox");
    expect(scripted.asked).toEqual([]);
  });

  test("leaving it is asked also for what only looks, and an always for inside is none for outside", async () => {
    const leave = { outside_sandbox: true, reason: "to look" };
    await using scripted = await connect(
      [[shell("touch a"), shell("touch b", leave)], [shell("cat a", leave)], [text("ok")]],
      { answer: "allow_always" },
    );

    await scripted.prompt(await scripted.open(), "go");

    expect(scripted.asked.map(({ toolCall }) => toolCall.title)).toEqual([
      "touch b (outside the sandbox)",
      "cat a (outside the sandbox)",
    ]);
  });

  test("there is no network, and the model is told that", async () => {
    const command = "exec 3<>/dev/tcp/127.0.0.1/9";
    await using scripted = await connect([[shell(command)], [text("ok")]]);

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toMatch(/This may be the sandbox: a command has no network there/);
  });

  test("what is forbidden for all is forbidden there, too", async () => {
    await using scripted = await connect([[shell("rm -rf /")], [text("ok")]]);

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toMatch(/^Denied: /);
    expect(scripted.asked).toEqual([]);
  });

  test("what runs code by itself cannot be written there", async () => {
    await using scripted = await connect([
      [shell("echo x > .git/hooks/pre-commit"), shell("echo x > .git/config"), shell("git status --short")],
      [text("ok")],
    ]);
    await scripted.put(".git/config", "old\n");

    await scripted.prompt(await scripted.open(), "go");

    expect(resultsOf(scripted.model.asked[1])?.slice(0, 2)).toMatchObject([{ failed: true }, { failed: true }]);
    expect(existsSync(join(scripted.cwd, ".git/hooks/pre-commit"))).toBe(false);
    expect(await scripted.get(".git/config")).toBe("old\n");
  });

  test("what was not there and runs code by itself is told of, or taken away", async () => {
    const lines = ["mkdir -p .git", "echo ../evil >.git/commondir", "echo x >.envrc"];
    await using scripted = await connect([[shell(lines.join("; "))], [shell("echo x >.git/commondir")], [text("ok")]]);

    await scripted.prompt(await scripted.open(), "go");

    expect(JSON.stringify(resultsOf(scripted.model.asked[1]))).toMatch(
      /created \.envrc, by which .*created \.git\/commondir/,
    );
    expect(existsSync(join(scripted.cwd, ".git/commondir"))).toBe(false);
  });

  test("read-only: the project cannot be written either", async () => {
    await using scripted = await connect([[shell("touch made")], [text("ok")]], { choice: { readOnly: true } });

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toContain("Read-only file system");
    expect(existsSync(join(scripted.cwd, "made"))).toBe(false);
  });

  test("that only the project wants: a command is confined, and asked about all the same", async () => {
    await using scripted = await connect([[shell(`touch made; echo x > ${outside}/file`)], [text("ok")]], {
      choice: { isAsked: true },
      answer: "allow_once",
    });

    await scripted.prompt(await scripted.open(), "go");

    expect(scripted.asked).toHaveLength(1);
    expect([join(scripted.cwd, "made"), join(outside, "file")].map((path) => existsSync(path))).toEqual([true, false]);
  });

  test("a command in the background is confined, and ends with its session", async () => {
    await using scripted = await connect([
      [shell(`echo x > ${outside}/file; touch up; exec sleep 600`, { is_background: true })],
      [text("ok")],
    ]);
    const sessionId = await scripted.open();

    await scripted.prompt(sessionId, "go");

    const pid = Number(/PID: (\d+)/.exec(toldOf(scripted))?.[1]);
    await expect.poll(() => existsSync(join(scripted.cwd, "up"))).toBe(true);
    expect([isAlive(pid), existsSync(join(outside, "file"))]).toEqual([true, false]);
    await scripted.client.closeSession(sessionId);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe.skipIf(!canConfine)(`where there is no sandbox, though it is wanted${skipped}`, () => {
  afterEach(cleanUp);

  /** What is found is remembered for a process, so this one is a process of its own, for which bubblewrap is not there. */
  test("the person is told, and asked as without it", async () => {
    await ensureBuilt();
    const home = temporaryFolder();
    await writeFile(join(home, "settings.json"), JSON.stringify({ sandbox: true }));
    const hidden = ["--ro-bind", "/dev/null", probe.available ? probe.program : ""];
    const program = await startReady({ home, through: ["bwrap", "--dev-bind", "/", "/", ...hidden, "--"] });
    const cwd = temporaryFolder();
    const sessionId = await program.open(cwd);

    program.send("session/prompt", toPrompt(sessionId, "run touch made"));
    const { params } = await program.frame(({ method }) => method === "session/request_permission", "question");

    const why = "bubblewrap (bwrap) is not installed";
    expect(params.toolCall).toMatchObject({
      title: "touch made (not sandboxed)",
      content: [{ type: "content", content: { type: "text", text: `Not sandboxed: ${why}` } }],
    });
    expect(JSON.stringify(program.updates(sessionId))).toContain(
      `Commands are not sandboxed, though the settings ask for it: ${why}.`,
    );
    expect(existsSync(join(cwd, "made"))).toBe(false);
    await program.end();
  });
});
