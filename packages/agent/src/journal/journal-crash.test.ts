// What is left when a process is killed, when the disk is full, and when it may not be written. With real processes.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SessionId } from "../id/id.ts";
import { openJournal } from "./journal.ts";

const WINDOWS = process.platform === "win32";
const id = "sess_1" as SessionId;
/** A file system of one's own, without being root. */
const MAY_MOUNT = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status === 0;

let base: string;
let counter = 0;
const started: ChildProcess[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "journal-crash-"));
  await build({
    stdin: { contents: 'export * from "./journal.ts"; export * from "./store.ts";', resolveDir: import.meta.dirname },
    outfile: join(base, "library.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
  });
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

describe("a process that is killed while it writes", () => {
  test.each([0, 1, 30, 400, 1500])("has every entry in the file that it knew of, after some %d", async (count) => {
    const folder = freshFolder();
    const script = await program(`
      const { journal } = createJournal(folder, { id: "sess_1", cwd: "/" });
      for (let n = 0; ; n++) {
        journal.append({ type: "text", messageId: "m", text: n + " ".repeat(n % 5000) });
        writeSync(1, n + "\\n");
      }`);
    const child = start(process.execPath, [script, folder]);
    let heard = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      if (lastNumber(heard) >= count) child.kill("SIGKILL");
    });
    await once(child, "close");

    const reading = openJournal(folder, id);
    if (reading.type !== "opened") throw new Error(reading.fault.message);
    reading.journal.close();
    const numbers: number[] = [];
    for await (const entries of reading.entries()) {
      for (const entry of entries) if (entry.type === "text") numbers.push(Number(entry.text));
    }
    expect(child.signalCode).toBe("SIGKILL");
    expect(numbers).toEqual(numbers.map((_, place) => place));
    expect(numbers.length).toBeGreaterThan(lastNumber(heard));
  });
});

describe("a file that cannot grow", () => {
  /** Fills the journal until it says no, makes room, and tells what happened. */
  const fill = (makeRoom: string) => `
    const { journal } = createJournal(folder, { id: "sess_1", cwd: "/" });
    const problems = [];
    let written = 0;
    while (problems.length === 0) {
      try {
        journal.append({ type: "text", messageId: "m", text: "x".repeat(3000) });
        written++;
      } catch (error) {
        problems.push({ name: error.name, ...error.fault, cause: error.fault.cause.code });
      }
    }
    const whole = readFileSync(journal.path, "utf8").endsWith("\\n");
    ${makeRoom}
    journal.append({ type: "title", title: "and on" });
    const lines = readFileSync(journal.path, "utf8").split("\\n");
    console.log(JSON.stringify({ problems, whole, isKept: lines.length === written + 3, last: lines.at(-2) }));`;

  test.skipIf(WINDOWS)("keeps no half line, says what to do, and goes on when there is room for less", async () => {
    const folder = freshFolder();
    const script = await program(fill(""));

    const told = run("sh", ["-c", 'ulimit -f 40; exec "$0" "$@"', process.execPath, script, folder]);

    expect(told).toEqual({
      problems: [
        {
          name: "JournalError",
          kind: "journal",
          retryable: false,
          message: `${join(folder, "sess_1.jsonl")} is as large as a file may be here, so the session cannot be written. Raise the limit (ulimit -f), or start a new session.`,
          cause: "EFBIG",
        },
      ],
      whole: true,
      isKept: true,
      last: expect.stringContaining('"title":"and on"'),
    });
  });

  test.skipIf(!MAY_MOUNT)("goes on when the disk is no longer full", async () => {
    const mount = await mountPoint();
    const makeRoom =
      'rmSync(folder + "/filler"); journal.append({ type: "title", title: "y".repeat(2000) }); written++;';
    const script = await program(`writeFileSync(folder + "/filler", "f".repeat(20000));${fill(makeRoom)}`);

    const told = runMounted(`mount -t tmpfs -o size=128k tmpfs ${mount}`, [script, mount]);

    expect(told).toMatchObject({
      problems: [
        {
          message: `The disk is full, so the session cannot be written to ${join(mount, "sess_1.jsonl")}. Free some space, then go on.`,
          cause: "ENOSPC",
        },
      ],
      whole: true,
      isKept: true,
      last: expect.stringContaining('"title":"and on"'),
    });
  });

  test.skipIf(!MAY_MOUNT)("is told of when there is no room for the first line, and is not there", async () => {
    const mount = await mountPoint();
    const script = await program(`
      writeFileSync(folder + "/filler", "f".repeat(60000));
      const made = createJournal(folder, { id: "sess_1", cwd: "/" + "x".repeat(50000) });
      console.log(JSON.stringify({ ...made, names: readdirSync(folder) }));`);

    const told = runMounted(`mount -t tmpfs -o size=80k tmpfs ${mount}`, [script, mount]);

    expect(told).toMatchObject({
      type: "failed",
      because: "unwritable",
      fault: { kind: "journal" },
      names: ["filler"],
    });
  });
});

describe("a file system that is read-only", () => {
  test.skipIf(!MAY_MOUNT)("lists its sessions and opens none", async () => {
    const folder = await mountPoint();
    const prepare = await program(`
      const { journal } = createJournal(folder, { id: "sess_1", cwd: "/" }, { at: 1 });
      const message = { role: "user", id: "m", parts: [{ type: "text", text: "Hello" }] };
      journal.append({ type: "prompt", turnId: "t", message }, 2);
      journal.close();
      console.log("{}");`);
    run(process.execPath, [prepare, folder]);
    const script = await program(`
      const store = openStore({ folder });
      const refused = [await store.open("sess_1"), await store.create({ id: "sess_2", cwd: "/" })];
      const messages = [...refused.map(({ fault }) => fault), await store.delete("sess_1")].map(({ message }) => message);
      console.log(JSON.stringify({ messages, page: await store.list() }));`);

    const told = runMounted(`mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`, [script, folder]);

    const advice = "so the session cannot be written. Make it writable, or keep sessions in another folder.";
    expect(told).toEqual({
      messages: ["sess_1.jsonl", "sess_2.jsonl", ""].map(
        (name) => `${join(folder, name)} is on a read-only file system, ${advice}`,
      ),
      page: { type: "page", sessions: [{ id: "sess_1", cwd: "/", title: "Hello", createdAt: 1, updatedAt: 2 }] },
    });
  });
});

function freshFolder(): string {
  return join(base, `sessions-${counter++}`);
}

async function mountPoint(): Promise<string> {
  const folder = freshFolder();
  await mkdir(folder);
  return folder;
}

/** A program with the journal at hand, and its first argument as `folder`. */
async function program(body: string): Promise<string> {
  const path = join(base, `program-${counter++}.mjs`);
  const imports = `
    import { readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
    import { createJournal, openStore } from "./library.mjs";
    const folder = process.argv[2];`;
  await writeFile(path, `${imports}\n${body}`);
  return path;
}

function start(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  return child;
}

function run(command: string, args: string[]): unknown {
  const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** In a mount namespace of its own, which ends with it. */
function runMounted(mount: string, args: string[]): unknown {
  return run("unshare", ["-rm", "sh", "-c", `${mount} && exec "$0" "$@"`, process.execPath, ...args]);
}

function lastNumber(lines: string): number {
  return Number(lines.slice(0, lines.lastIndexOf("\n")).split("\n").at(-1) || -1);
}
