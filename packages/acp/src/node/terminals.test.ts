import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RpcError } from "../error/rpc-error.ts";
import type { CreateTerminalRequest } from "../v1/generated/type.ts";
import { createTerminalHandlers, type TerminalHandlers, type TerminalOptions } from "./terminals.ts";

const INVALID_PARAMS = -32602;
const NOT_FOUND = -32002;
const INTERNAL = -32603;
const CANCELLED = -32800;
const PATIENT = { timeout: 10_000 };
const LONG_MS = 60_000;
const sessionId = "s";

let folder: string;
let opened: TerminalHandlers[];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "acp-terminals-")));
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((terminals) => terminals.close()));
  await rm(folder, { recursive: true, force: true });
});

// Every test speaks to a POSIX shell.
describe.skipIf(process.platform === "win32")("terminals", () => {
  describe("creating", () => {
    test("C-320 returns at once with an id, while the command runs on", async () => {
      const terminals = open();

      const { terminalId } = await terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] });

      expect(terminalId).toMatch(/^term_[0-9a-f-]{36}$/);
      expect(await terminals.terminalOutput({ sessionId, terminalId })).toEqual({ output: "", truncated: false });
    });

    test("runs a command with arguments without a shell", async () => {
      expect(await run({ command: "printf", args: ["%s|", "$HOME", "a  b", "*"] })).toEqual({
        output: "$HOME|a  b|*|",
        truncated: false,
        exitStatus: { exitCode: 0, signal: null },
      });
    });

    test("runs a whole command line in a shell, and keeps the order of its two streams", async () => {
      const { output } = await run({
        command: "for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo $((6*7))",
      });

      expect(output).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n42\n");
    });

    test("runs a plain word without a shell, and a path with a blank as the file it names", async () => {
      const script = join(folder, "two words.sh");
      await writeFile(script, '#!/bin/sh\necho "$0"\n');
      await chmod(script, 0o755);

      expect((await run({ command: "pwd" })).output).toBe(`${folder}\n`);
      expect((await run({ command: script, args: [] })).output).toBe(`${script}\n`);
    });

    test("lays the variables of the request over the environment given, and adds nothing else", async () => {
      const terminals = open({ env: { PATH: process.env.PATH, KEPT: "base", CHANGED: "base", ABSENT: undefined } });
      const env = [
        { name: "CHANGED", value: "request" },
        { name: "__proto__", value: "plain" },
      ];

      const { output } = await run({ command: "env", env }, terminals);

      const lines = output.split("\n").filter((line) => line !== "" && !line.startsWith("PATH="));
      expect(lines.sort()).toEqual(["CHANGED=request", "KEPT=base", "__proto__=plain"]);
    });

    test("gives the command no input to wait for", async () => {
      expect(await run({ command: "cat" })).toMatchObject({ output: "", exitStatus: { exitCode: 0 } });
    });

    test("collects both streams of a command that runs without a shell", async () => {
      const { output } = await run({ command: "sh", args: ["-c", "echo out; echo err >&2"] });

      expect(output.split("\n").sort()).toEqual(["", "err", "out"]);
    });

    test("says that a command was not found, and keeps no terminal for it", async () => {
      const terminals = open({ maxTerminals: 1 });
      const command = "no-such-command-anywhere";

      const create = () => faultOf(terminals.createTerminal({ sessionId, command }));

      await create();
      expect(await create()).toEqual({
        code: INVALID_PARAMS,
        message: `The command "${command}" was not found. Install it, name it by its full path, or pass a whole command line without args to have it run by a shell.`,
        data: { command, code: "ENOENT" },
      });
    });

    test("says that a file may not be executed", async () => {
      const command = join(folder, "data.txt");
      await writeFile(command, "no program");

      expect(await faultOf(open().createTerminal({ sessionId, command }))).toMatchObject({
        code: INVALID_PARAMS,
        message: expect.stringContaining("may not be executed"),
        data: { command, code: "EACCES" },
      });
    });

    test("C-326 refuses a cwd that is not absolute, or not a folder", async () => {
      const terminals = open();
      const create = (cwd: string) => faultOf(terminals.createTerminal({ sessionId, command: "pwd", cwd }));
      const missing = join(folder, "missing");

      expect(await create("sub")).toEqual({
        code: INVALID_PARAMS,
        message: 'cwd must be an absolute path, not "sub".',
        data: { path: "sub" },
      });
      expect(await create(missing)).toEqual({
        code: INVALID_PARAMS,
        message: `cwd must be an existing folder, and ${missing} is none. Create it or name another.`,
        data: { cwd: missing },
      });
    });

    test("C-318 starts commands only inside of the roots, by real path, in the first one by default", async () => {
      const root = join(folder, "root");
      const outside = join(folder, "outside");
      await mkdir(join(root, "sub"), { recursive: true });
      await mkdir(outside);
      await symlink(outside, join(root, "way-out"));
      const terminals = open({ roots: (id) => (id === sessionId ? [root] : undefined), defaultCwd: undefined });
      const create = (params: object) => terminals.createTerminal({ sessionId, command: "pwd", ...params });

      expect((await run({ command: "pwd" }, terminals)).output).toBe(`${root}\n`);
      expect((await run({ command: "pwd", cwd: join(root, "sub") }, terminals)).output).toBe(`${join(root, "sub")}\n`);
      expect(await faultOf(create({ cwd: outside }))).toMatchObject({ code: INVALID_PARAMS });
      expect(await faultOf(create({ cwd: join(root, "way-out") }))).toMatchObject({ code: INVALID_PARAMS });
      expect(await faultOf(create({ sessionId: "unknown" }))).toMatchObject({
        code: NOT_FOUND,
        data: { sessionId: "unknown" },
      });
    });

    test("starts where the host says, when the request does not", async () => {
      const terminals = open({ defaultCwd: (id) => (id === sessionId ? folder : undefined) });

      expect((await run({ command: "pwd" }, terminals)).output).toBe(`${folder}\n`);
      expect(await faultOf(terminals.createTerminal({ sessionId: "other", command: "pwd" }))).toMatchObject({
        code: INVALID_PARAMS,
        message: "cwd is missing, and there is no default here. Name a folder.",
      });
    });

    test.each([
      { command: " " },
      { command: "a\0b" },
      { command: "pwd", args: ["\0"] },
      { command: "pwd", env: [{ name: "A=B", value: "" }] },
      { command: "pwd", env: [{ name: "", value: "" }] },
      { command: "pwd", outputByteLimit: -1 },
      { command: "pwd", outputByteLimit: 1.5 },
    ])("refuses what cannot be started: %o", async (params) => {
      expect(await faultOf(open().createTerminal({ sessionId, ...params }))).toMatchObject({ code: INVALID_PARAMS });
    });

    test("refuses one terminal too many, until one is released", async () => {
      const terminals = open({ maxTerminals: 2 });
      const create = () => terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] });
      const [first] = await Promise.all([create(), create()]);

      expect(await faultOf(create())).toEqual({
        code: INTERNAL,
        message: "There are already 2 terminals. Release those that are no longer needed, then retry.",
        data: { maxTerminals: 2 },
      });
      await terminals.releaseTerminal({ sessionId, terminalId: first.terminalId });
      await create();
    });

    test("starts nothing for a request that was cancelled", async () => {
      const params = { sessionId, command: "sleep", args: ["600"] };

      expect(await faultOf(open().createTerminal(params, { signal: AbortSignal.abort() }))).toMatchObject({
        code: CANCELLED,
      });
    });
  });

  describe("output", () => {
    test("C-321 keeps the tail, cut at a character border", async () => {
      expect(await run({ command: "printf 'a€€€'", outputByteLimit: 7 })).toEqual({
        output: "€€",
        truncated: true,
        exitStatus: { exitCode: 0, signal: null },
      });
    });

    test("C-321 is not truncated when the output just fits", async () => {
      expect(await run({ command: "printf 'a€€'", outputByteLimit: 7 })).toMatchObject({
        output: "a€€",
        truncated: false,
      });
    });

    test("C-321 keeps no more than the host allows, whatever the request says", async () => {
      const terminals = open({ defaultOutputBytes: 3, maxOutputBytes: 5 });

      expect((await run({ command: "printf 1234567" }, terminals)).output).toBe("567");
      expect((await run({ command: "printf 1234567", outputByteLimit: 2 ** 40 }, terminals)).output).toBe("34567");
    });

    test("holds back an unfinished character while the command runs, and shows it at its exit", async () => {
      const terminals = open();
      const gate = join(folder, "gate");
      const command = `printf 'a\\342\\202'; until [ -e ${gate} ]; do sleep 0.01; done`;
      const { terminalId } = await terminals.createTerminal({ sessionId, command });
      const look = () => terminals.terminalOutput({ sessionId, terminalId });

      await expect.poll(look, PATIENT).toEqual({ output: "a", truncated: false });
      await writeFile(gate, "");
      await terminals.waitForTerminalExit({ sessionId, terminalId });

      expect((await look()).output).toBe("a\uFFFD");
    });

    test("C-322 has an exit status only after the exit", async () => {
      const terminals = open();
      const { terminalId } = await terminals.createTerminal({ sessionId, command: "echo on; exec sleep 600" });
      const look = () => terminals.terminalOutput({ sessionId, terminalId });

      await expect.poll(look, PATIENT).toEqual({ output: "on\n", truncated: false });
      await terminals.killTerminal({ sessionId, terminalId });
      await terminals.waitForTerminalExit({ sessionId, terminalId });

      expect(await look()).toEqual({
        output: "on\n",
        truncated: false,
        exitStatus: { exitCode: null, signal: "SIGTERM" },
      });
    });

    test("C-322 is complete when the exit is reported", async () => {
      const { output } = await run({ command: "seq 1 100000", outputByteLimit: 2 ** 20 });

      expect(output.endsWith("99999\n100000\n")).toBe(true);
      expect(output.length).toBe(588_895);
    });

    test("reports the exit though a grandchild holds on to the output", async () => {
      const terminals = open();

      const { output, exitStatus } = await run({ command: "sleep 600 & printf 'a\\342'; exit 3" }, terminals);

      expect({ output, exitStatus }).toEqual({ output: "a\uFFFD", exitStatus: { exitCode: 3, signal: null } });
    });

    test("waits a moment for what a grandchild still writes after the exit", async () => {
      const { output } = await run({ command: "(while kill -0 $$; do :; done 2>/dev/null; echo late) & echo early" });

      expect(output).toBe("early\nlate\n");
    });

    test("takes a flood of output without holding up the loop or growing", async () => {
      const terminals = open();
      const megabytes = 300;
      const command = `yes | head -c ${megabytes}000000; echo; echo end`;
      const delay = monitorEventLoopDelay({ resolution: 5 });
      const before = memoryBytes();
      delay.enable();

      const { output } = await run({ command, outputByteLimit: 64 * 1024 }, terminals);

      delay.disable();
      const grownBytes = memoryBytes() - before;
      expect(output).toBe(`${"y\n".repeat(33_000).slice(-64 * 1024 + 5)}\nend\n`);
      expect(grownBytes).toBeLessThan((megabytes * 1_000_000) / 4);
      expect(delay.percentile(99) / 1e6).toBeLessThan(250);
    });
  });

  describe("waiting", () => {
    test("C-323 resolves for everybody who waits, with an exit code or a signal", async () => {
      const terminals = open();
      const coded = await terminals.createTerminal({ sessionId, command: "exit 7" });
      const signalled = await terminals.createTerminal({ sessionId, command: "kill -9 $$" });
      const wait = ({ terminalId }: { terminalId: string }) => terminals.waitForTerminalExit({ sessionId, terminalId });

      expect(await Promise.all([wait(coded), wait(coded), wait(signalled)])).toEqual([
        { exitCode: 7, signal: null },
        { exitCode: 7, signal: null },
        { exitCode: null, signal: "SIGKILL" },
      ]);
      expect(await wait(coded)).toEqual({ exitCode: 7, signal: null });
    });

    test("ends just the wait whose request is cancelled, and forgets its signal afterwards", async () => {
      const terminals = open();
      const { terminalId } = await terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] });
      const [cancelled, patient] = [new AbortController(), new AbortController()];
      const wait = ({ signal }: AbortController) =>
        terminals.waitForTerminalExit({ sessionId, terminalId }, { signal });
      const waits = [faultOf(wait(cancelled)), wait(patient)];

      cancelled.abort();
      expect(await waits[0]).toMatchObject({ code: CANCELLED });
      await terminals.killTerminal({ sessionId, terminalId });

      expect(await waits[1]).toEqual({ exitCode: null, signal: "SIGTERM" });
      await expect.poll(() => getEventListeners(patient.signal, "abort"), PATIENT).toEqual([]);
    });
  });

  describe("killing", () => {
    test("C-324 leaves the id valid, and may be repeated", async () => {
      const terminals = open();
      const { terminalId } = await terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] });

      expect(await terminals.killTerminal({ sessionId, terminalId })).toEqual({});
      expect(await terminals.killTerminal({ sessionId, terminalId })).toEqual({});

      const exit = { exitCode: null, signal: "SIGTERM" };
      expect(await terminals.waitForTerminalExit({ sessionId, terminalId })).toEqual(exit);
      expect(await terminals.terminalOutput({ sessionId, terminalId })).toMatchObject({ exitStatus: exit });
      expect(await terminals.killTerminal({ sessionId, terminalId })).toEqual({});
    });

    test("answers at once, and uses force on what ignores the signal", async () => {
      const terminals = open({ graceMs: 50 });
      const command = 'trap "" TERM; echo ready; while :; do sleep 0.02; done';
      const { terminalId } = await terminals.createTerminal({ sessionId, command });
      await expect
        .poll(() => terminals.terminalOutput({ sessionId, terminalId }), PATIENT)
        .toMatchObject({ output: "ready\n" });

      await terminals.killTerminal({ sessionId, terminalId });
      expect(await terminals.terminalOutput({ sessionId, terminalId })).not.toHaveProperty("exitStatus");

      expect(await terminals.waitForTerminalExit({ sessionId, terminalId })).toEqual({
        exitCode: null,
        signal: "SIGKILL",
      });
    });
  });

  describe("releasing", () => {
    test("C-325 ends the command with its grandchildren, and voids the id", async () => {
      const terminals = open();
      const { terminalId, grandchild } = await startFamily(terminals, "wait");
      const waiting = terminals.waitForTerminalExit({ sessionId, terminalId });

      expect(await terminals.releaseTerminal({ sessionId, terminalId })).toEqual({});

      expect(isAlive(grandchild)).toBe(false);
      expect(await waiting).toEqual({ exitCode: null, signal: "SIGTERM" });
      await expectUnknown(terminals, { sessionId, terminalId });
    });

    test("C-240 ends grandchildren whose parent exited long before", async () => {
      const terminals = open();
      const { terminalId, grandchild } = await startFamily(terminals, "exit 0");
      await terminals.waitForTerminalExit({ sessionId, terminalId });
      expect(isAlive(grandchild)).toBe(true);

      await terminals.releaseTerminal({ sessionId, terminalId });

      expect(isAlive(grandchild)).toBe(false);
    });

    test("knows no terminal of another session", async () => {
      const terminals = open();
      const { terminalId } = await terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] });

      await expectUnknown(terminals, { sessionId: "other", terminalId });
      await expectUnknown(terminals, { sessionId, terminalId: "term_0" });
      expect(await terminals.terminalOutput({ sessionId, terminalId })).toEqual({ output: "", truncated: false });
    });

    test("C-240 clears away all that a session left, and nothing of the others", async () => {
      const terminals = open();
      const mine = await startFamily(terminals, "wait");
      const other = await terminals.createTerminal({ sessionId: "other", command: "sleep", args: ["600"] });
      const creating = faultOf(terminals.createTerminal({ sessionId, command: "sleep", args: ["600"] }));

      await terminals.releaseSession(sessionId);

      expect(isAlive(mine.grandchild)).toBe(false);
      expect(await creating).toMatchObject({ code: CANCELLED });
      await expectUnknown(terminals, { sessionId, terminalId: mine.terminalId });
      const stillThere = { sessionId: "other", terminalId: other.terminalId };
      expect(await terminals.terminalOutput(stillThere)).toEqual({ output: "", truncated: false });
    });

    test("C-240 closes with every process gone, also those being killed or released, and starts no more", async () => {
      const terminals = open({ graceMs: 100 });
      const stubborn = '(trap "" TERM; while :; do sleep 0.02; done)';
      const running = await startFamily(terminals, "wait");
      const killed = await startFamily(terminals, "wait");
      const released = await startFamily(terminals, "wait", stubborn);
      await terminals.killTerminal({ sessionId, terminalId: killed.terminalId });
      void terminals.releaseTerminal({ sessionId, terminalId: released.terminalId });

      await Promise.all([terminals.close(), terminals.close()]);

      expect([running, killed, released].map(({ grandchild }) => isAlive(grandchild))).toEqual([false, false, false]);
      expect(await faultOf(terminals.createTerminal({ sessionId, command: "pwd" }))).toMatchObject({ code: INTERNAL });
    });

    test("C-240 leaves nothing behind after closing that would keep this process alive", async () => {
      const script = join(folder, "host.mjs");
      await build({
        entryPoints: [join(import.meta.dirname, "terminals.ts")],
        outfile: join(folder, "library.mjs"),
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20",
      });
      await writeFile(
        script,
        `import { writeSync } from "node:fs";
         import { createTerminalHandlers } from "./library.mjs";
         const terminals = createTerminalHandlers({ env: process.env, defaultCwd: "/", graceMs: 60_000 });
         const create = (command) => terminals.createTerminal({ sessionId: "s", command });
         await create("sleep 600 & exit 0");
         await create("sleep 600 & wait");
         const { terminalId } = await create("sleep 600 & wait");
         await terminals.killTerminal({ sessionId: "s", terminalId });
         await terminals.close();
         // Handles that are closed are let go at the end of this turn of the loop.
         setImmediate(() => setImmediate(() => writeSync(1, JSON.stringify(process.getActiveResourcesInfo()))));`,
      );
      const { stdout } = spawnSync(process.execPath, [script], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });

      expect(JSON.parse(stdout)).toEqual([]);
    });

    test.skipIf(process.platform !== "linux")(
      "lets go of the output though a process that left the group still holds it",
      async () => {
        const terminals = open();
        const before = handles();
        const { terminalId, grandchild } = await startFamily(terminals, "wait", "setsid sleep 600");
        try {
          await terminals.releaseTerminal({ sessionId, terminalId });

          await expect.poll(handles, PATIENT).toBeLessThanOrEqual(before);
        } finally {
          process.kill(grandchild, "SIGKILL");
        }
      },
    );
  });
});

function open(options: Partial<TerminalOptions> = {}): TerminalHandlers {
  const terminals = createTerminalHandlers({ env: process.env, defaultCwd: folder, graceMs: LONG_MS, ...options });
  opened.push(terminals);
  return terminals;
}

async function run(params: Omit<CreateTerminalRequest, "sessionId">, terminals = open()) {
  const { terminalId } = await terminals.createTerminal({ sessionId, ...params });
  await terminals.waitForTerminalExit({ sessionId, terminalId });
  return terminals.terminalOutput({ sessionId, terminalId });
}

/** A command with a child of its own, which says who it is before it does the rest. */
async function startFamily(terminals: TerminalHandlers, rest: string, child = "sleep 600") {
  const command = `${child} & echo $!; ${rest}`;
  const { terminalId } = await terminals.createTerminal({ sessionId, command });
  const look = async () => (await terminals.terminalOutput({ sessionId, terminalId })).output;
  await expect.poll(look, PATIENT).toMatch(/^\d+\n$/);
  const grandchild = Number(await look());
  // 0 would be our own group.
  expect(grandchild).toBeGreaterThan(1);
  return { terminalId, grandchild };
}

async function expectUnknown(terminals: TerminalHandlers, params: { sessionId: string; terminalId: string }) {
  const { terminalOutput, waitForTerminalExit, killTerminal, releaseTerminal } = terminals;
  for (const handler of [terminalOutput, waitForTerminalExit, killTerminal, releaseTerminal]) {
    expect(await faultOf(handler(params))).toEqual({
      code: NOT_FOUND,
      message: "There is no such terminal; it may have been released.",
      data: { terminalId: params.terminalId },
    });
  }
}

async function faultOf(promise: Promise<unknown>): Promise<{ code: number; message: string; data: unknown }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error("expected an RpcError", { cause: error });
  return { code: error.code, message: error.message, data: error.data };
}

/** Zombies are dead: how soon they are reaped is up to process 1. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** What this thread keeps the loop alive with, besides timers. */
function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length;
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
