// What the command line says and answers, and that stdout carries the protocol and nothing else, wherever it is started.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "./built.ts";
import type { RpcFailure } from "./frame.ts";
import { type Program, start, startReady } from "./program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const isRoot = process.getuid?.() === 0;

describe("flags", () => {
  const run = async (...args: string[]) => {
    const program = start({ args });
    program.child.stdin.end();
    const { code } = await program.ending();
    await program.closed;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };

  test("--help and -h say how it is used, and exit 0", async () => {
    const [long, short] = await Promise.all([run("--help"), run("-h")]);
    expect(long).toEqual({ code: 0, stdout: expect.stringContaining("agentao --acp [--stdio]"), stderr: "" });
    expect(short).toEqual(long);
  });

  test("--version and -V say the version alone, and exit 0", async () => {
    const [long, short] = await Promise.all([run("--version"), run("-V")]);
    expect(long).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), stderr: "" });
    expect(short).toEqual(long);
  });

  test.each<[string, string[], string]>([
    ["--stdio without --acp", ["--stdio"], "agentao: --stdio requires --acp\n"],
    ["--resume without --acp", ["--resume"], "agentao: --resume requires --acp\n"],
    ["a flag that is nearly one", ["--apc"], 'agentao: unknown option "--apc"; did you mean --acp?\n'],
    ["a flag that is like none", ["--frobnicate"], 'agentao: unknown option "--frobnicate"\n'],
    ["a stray word", ["--acp", "serve"], 'agentao: unexpected argument "serve"\n'],
    ["a value for a flag without one", ["--acp=yes"], "agentao: --acp takes no value\n"],
  ])("%s exits 2 and says why", async (_, args, problem) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: "", stderr: `${problem}Try "agentao --help".\n` });
  });
});

describe("the first line", () => {
  test("answers initialize with an auth method, as the public registry wants it", async () => {
    const program = start({ env: { TERM: "dumb", HOME: temporaryFolder() } });
    const clientCapabilities = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      _meta: { terminal_output: true, "terminal-auth": true },
    };
    await program.request("initialize", { protocolVersion: 1, clientCapabilities });
    const [line = ""] = program.stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { protocolVersion: 1, authMethods: [{ id: expect.any(String), name: expect.any(String) }] },
    });
    expect(await program.end()).toMatchObject({ code: 0 });
  });

  test("is the same with --acp alone", async () => {
    const [one, other] = await Promise.all([startReady({ args: ["--acp"] }), startReady()]);
    expect(one.stdout).toBe(other.stdout);
  });
});

describe("--resume", () => {
  const before = async () => {
    const cwd = temporaryFolder();
    const program = await startReady();
    const older = await program.open(cwd);
    await program.prompt(older, "create older.txt with one");
    const newer = await program.open(cwd);
    await program.prompt(newer, "create newer.txt with two");
    await program.end();
    return { cwd, older, newer, home: program.home };
  };

  test("goes on with the newest session of the folder, with an ID with that one, and only once", async () => {
    const { cwd, older, newer, home } = await before();
    const newest = await startReady({ home, args: ["--acp", "--resume"] });
    expect(await newest.open(cwd)).toBe(newer);
    expect(newest.textOf(newer)).toContain("newer.txt");
    expect(await newest.open(cwd)).not.toBe(newer);
    await newest.end();

    const named = await startReady({ home, args: ["--acp", "--resume", older] });
    expect(await named.open(cwd)).toBe(older);
    expect(named.textOf(older)).toContain("older.txt");
  });

  test("starts a fresh session where there is nothing to resume", async () => {
    const cwd = temporaryFolder();
    const program = await startReady({ args: ["--acp", "--resume", "sess_00000000000000000000000000000000"] });
    const sessionId = await program.open(cwd);
    expect(await program.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("wherever it is started", () => {
  /** A whole turn with every kind of tool, and not one byte that is not the protocol's. */
  const works = async (program: Program, cwd: string) => {
    await program.request("initialize", { protocolVersion: 1 });
    const sessionId = await program.open(cwd, { modeId: "full-access" });
    const wish = "plan: list files; create notes.txt with hello; read notes.txt; run cat notes.txt; count to 3";
    expect(await program.prompt(sessionId, wish)).toMatchObject({ stopReason: "end_turn" });
    expect(program.textOf(sessionId)).toContain("1 2 3");
    expect(existsSync(join(cwd, "notes.txt"))).toBe(true);
    expect(await program.end()).toMatchObject({ code: 0, signal: null });
    await program.closed;
    expect({ stray: program.strayLines, stderr: program.stderr }).toEqual({ stray: [], stderr: "" });
    expect(program.stdout.endsWith("\n")).toBe(true);
  };

  test("stdout is lines of JSON, and stderr is silent", async () => {
    await works(start(), temporaryFolder());
  });

  test("with nothing in its environment but PATH, and AGENTAO_HOME", async () => {
    const home = temporaryFolder();
    const onlyEnv = { PATH: process.env.PATH ?? "", AGENTAO_HOME: home };
    await works(start({ home, onlyEnv }), temporaryFolder());
  });

  test("with its home in HOME, where AGENTAO_HOME is not set", async () => {
    const HOME = temporaryFolder();
    await works(start({ onlyEnv: { PATH: process.env.PATH ?? "", HOME } }), temporaryFolder());
    expect(readdirSync(join(HOME, ".agentao/sessions")).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  });

  test("with TERM=dumb, NO_COLOR and a debugging environment", async () => {
    await works(start({ env: { TERM: "dumb", NO_COLOR: "1", DEBUG: "*" } }), temporaryFolder());
  });

  test("in a working directory that is gone", async () => {
    const gone = temporaryFolder();
    const home = temporaryFolder();
    const program = start({
      home,
      cwd: gone,
      through: ["/bin/sh", "-c", `rmdir "${gone}"; exec "$@"`, "sh"],
    });
    await works(program, temporaryFolder());
  });

  test("leaves nothing in the temporary folder", async () => {
    const TMPDIR = temporaryFolder();
    await works(start({ env: { TMPDIR } }), temporaryFolder());
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  const refusal = (cause: unknown) => {
    const { message, data } = cause as RpcFailure;
    return { message, data };
  };

  test("says what is wrong when its home is a file, and lives on", async () => {
    const home = join(temporaryFolder(), "home");
    writeFileSync(home, "");
    const program = await startReady({ home });
    const failed = await program.open(temporaryFolder()).catch(refusal);
    expect(failed).toEqual({ message: expect.stringContaining(home), data: { kind: "journal", retryable: false } });
    rmSync(home);
    expect(await program.open(temporaryFolder())).toEqual(expect.stringMatching(/^sess_/));
  });

  test("says what is wrong when sessions cannot be listed", async () => {
    const home = join(temporaryFolder(), "home");
    writeFileSync(home, "");
    const program = await startReady({ home });
    const failed = await program.request("session/list").catch(refusal);
    expect(failed).toEqual({ message: expect.stringContaining(home), data: { kind: "journal", retryable: false } });
  });

  // Root may write everywhere but here.
  test("says what is wrong when its home cannot be written", async () => {
    const home = isRoot ? "/sys/agentao" : join(temporaryFolder(), "home");
    if (!isRoot) mkdirSync(home, { mode: 0o500 });
    const program = await startReady({ home });
    const failed = await program.open(temporaryFolder()).catch(refusal);
    expect(failed).toEqual({ message: expect.stringContaining(home), data: { kind: "journal", retryable: false } });
    expect(await program.request("session/list")).toEqual({ sessions: [] });
    if (!isRoot) chmodSync(home, 0o700);
  });
});
