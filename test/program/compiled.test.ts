// What a start keeps for the next one: the program's compiled code, beside the program or in the home, never in the way.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { spawnAgent } from "@agentao/acp/node";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt, mainFile } from "./built.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

let home: string;
let program: string;

/** A program of its own, as newly installed. */
beforeEach(() => {
  const root = temporaryFolder();
  home = join(root, "home");
  program = join(root, "agentao");
  mkdirSync(home);
  cpSync(dirname(mainFile), program, { recursive: true });
  rmSync(join(program, "cache"), { recursive: true, force: true });
  symlinkSync(join(dirname(mainFile), "../../../node_modules"), join(root, "node_modules"));
});

function env(): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, AGENTAO_HOME: home, AGENTAO_MODEL: "scripted/demo" };
}

function run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(program, "main.js"), ...args], {
    cwd: home,
    env: { ...env(), ...more },
    input: "",
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** As a shell leaves it to the program. */
function runAfter(preparation: string) {
  const command = `${preparation}; exec "$0" "$1" run hi`;
  const { status } = spawnSync("sh", ["-c", command, process.execPath, join(program, "main.js")], {
    cwd: home,
    env: env(),
    input: "",
  });
  return status;
}

function kept(folder: string): string[] {
  try {
    return readdirSync(join(folder, "cache")).map((name) => name.replace(/-.*/, ""));
  } catch {
    return [];
  }
}

test("a job leaves its code beside the program, and the next one is the same", () => {
  const first = run(["run", "hi"]);
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(kept(program)).toEqual(["run"]);
  expect(run(["run", "hi"])).toEqual(first);
});

test.each<[string, string[]]>([
  ["help of a command", ["run", "--help"]],
  ["a mistake", ["run", "--frobnicate"]],
  ["a command that is none", ["../../evil"]],
  ["the version", ["--version"]],
])("%s is no usual run, and leaves nothing", (_, args) => {
  run(args);
  expect(kept(program)).toEqual([]);
});

test("over ACP, a turn is a usual run, and a handshake is not", async () => {
  const connect = () =>
    spawnAgent([process.execPath, join(program, "main.js"), "--acp", "--stdio"], {}, { cwd: home, env: env() });
  const first = await connect();
  await first.initialize();
  await first.close();
  expect(kept(program)).toEqual([]);
  const second = await connect();
  await second.initialize();
  const { sessionId } = await second.newSession({ cwd: home, mcpServers: [] });
  await second.promptText(sessionId, "hi");
  await second.close();
  expect(kept(program)).toEqual(["acp"]);
});

test("code that was damaged is not run", () => {
  run(["run", "hi"]);
  const [name = ""] = readdirSync(join(program, "cache"));
  const path = join(program, "cache", name);
  writeFileSync(
    path,
    readFileSync(path).map((byte, at) => (at > 1_000 && at % 97 === 0 ? byte ^ 0x5a : byte)),
  );
  expect(run(["run", "hi"])).toMatchObject({ status: 0, stderr: "" });
});

test("a program that somebody else installed keeps its code in the home", () => {
  // A file in its place cannot be written into, whoever we are.
  writeFileSync(join(program, "cache"), "");
  chmodSync(join(program, "cache"), 0o444);
  run(["run", "hi"]);
  expect(kept(home)).toEqual(["run"]);
});

test("told by Node's own variable, it keeps nothing", () => {
  expect(run(["run", "hi"], { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject({ status: 0 });
  expect([...kept(program), ...kept(home)]).toEqual([]);
});

test("a home by a relative path, which a project could fill, has no code in it", () => {
  writeFileSync(join(program, "cache"), "");
  mkdirSync(join(home, ".agentao"));
  expect(run(["run", "hi"], { AGENTAO_HOME: ".agentao" })).toMatchObject({ status: 0 });
  expect(kept(join(home, ".agentao"))).toEqual([]);
});

describe.skipIf(process.platform === "win32")("where files are as the shell says", () => {
  test("nobody else can change the code, however careless the person is with new files", () => {
    expect(runAfter("umask 0")).toBe(0);
    const folder = join(program, "cache");
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => statSync(path).mode);
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o755, 0o644]);
  });

  test("code that there is no room for leaves nothing of itself", () => {
    // Files end at 100 KiB; the signal about it is not for programs that look at what was written.
    expect(runAfter("trap '' 25; ulimit -f 200")).toBe(0);
    expect([join(program, "cache"), join(home, "cache")].map((folder) => readdirSync(folder))).toEqual([[], []]);
  });
});
