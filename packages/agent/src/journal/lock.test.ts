import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Lock, takeLock } from "./lock.ts";

const LINUX = process.platform === "linux";
const TOKEN = "0123456789abcdef";

const { pid: dead } = spawnSync(process.execPath, ["-v"]);

let base: string;
let folder: string;
let path: string;
let script: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "lock-"));
  const library = join(base, "lock.mjs");
  const entryPoints = [join(import.meta.dirname, "lock.ts")];
  await build({ entryPoints, outfile: library, bundle: true, platform: "node", format: "esm" });
  script = join(base, "taker.mjs");
  // Takes the lock at every path it is told, and keeps it.
  writeFileSync(
    script,
    `import { createInterface } from "node:readline";
     import { takeLock } from "./lock.mjs";
     createInterface({ input: process.stdin }).on("line", (path) => console.log(takeLock(path).type));
     console.log("ready");`,
  );
});

beforeEach(async () => {
  folder = await mkdtemp(join(base, "folder-"));
  path = join(folder, "sess_1.lock");
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

describe("a lock", () => {
  test("is a file that names the process, and is gone when it is released", () => {
    const lock = taken(path);

    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(["sess_1.lock"]);
    lock.release();
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is refused to the process that has it", () => {
    const lock = taken(path);

    expect(takeLock(path)).toEqual({ type: "held", pid: process.pid });
    lock.release();
    taken(path).release();
  });

  test("is refused while another process lives, and taken over when it was killed", async () => {
    const other = await start();
    expect(await other.take(path)).toBe("locked");

    expect(takeLock(path)).toEqual({ type: "held", pid: other.child.pid });
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
    taken(path).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is not released by one who has lost it", () => {
    const lost = taken(path);
    const other = JSON.stringify({ pid: process.pid, token: TOKEN });
    writeFileSync(path, other);

    lost.release();

    expect(readFileSync(path, "utf8")).toBe(other);
  });
});

describe("a lock left behind", () => {
  test.each<[string, () => string]>([
    ["by a process that is gone", () => stale()],
    ["half written when the power failed", () => ""],
    ["with nonsense in it", () => '{"pid":-1,"token":"../../etc"}'],
  ])("%s is taken over", (_, content) => {
    writeFileSync(path, content());

    const lock = taken(path);

    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(!LINUX)("by an earlier process with the same number is taken over", () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: "12@yesterday", token: TOKEN }));

    taken(path).release();
  });

  test.skipIf(!LINUX)("by a process that ended, and whose parent has not noticed, is taken over", async () => {
    // The shell starts a taker, tells its number, and never waits for it.
    const shell = spawn("sh", ["-c", `"$0" "$1" <&3 & echo $!; read never`, process.execPath, script], {
      stdio: ["pipe", "pipe", "inherit", "pipe"],
    });
    started.push(shell);
    const lines = createInterface({ input: shell.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    const next = async () => String((await lines.next()).value);
    const pid = Number(await next());
    await next();
    (shell.stdio[3] as NodeJS.WritableStream).write(`${path}\n`);
    expect(await next()).toBe("locked");
    expect(takeLock(path)).toEqual({ type: "held", pid });

    process.kill(pid, "SIGKILL");
    await until(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));

    taken(path).release();
  });

  test("and its takeover by one who died in the middle of it is taken over", () => {
    writeFileSync(path, stale());
    writeFileSync(join(folder, `.sess_1.lock.${TOKEN}`), stale("fedcba9876543210"));

    taken(path).release();

    expect(readdirSync(folder)).toEqual([]);
  });

  test("goes to exactly one of those who want it at once", async () => {
    const takers = await Promise.all([start(), start(), start(), start()]);
    const rounds = Array.from({ length: 200 }, (_, round) => join(folder, `round-${round}.lock`));
    for (const round of rounds) writeFileSync(round, stale());

    const answers = await Promise.all(takers.map(({ takeAll }) => takeAll(rounds)));

    const winners = rounds.map((_, round) => answers.filter((told) => told[round] === "locked").length);
    expect(winners).toEqual(rounds.map(() => 1));
    expect(readdirSync(folder).sort()).toEqual(rounds.map((round) => round.slice(folder.length + 1)).sort());
  });
});

function taken(path: string): Lock {
  const locking = takeLock(path);
  if (locking.type !== "locked") throw new Error(`held by ${locking.pid}`);
  expect(existsSync(path)).toBe(true);
  return locking.lock;
}

/** The text of a lock whose process is no more. */
function stale(token = TOKEN): string {
  return JSON.stringify({ pid: dead, startedAt: "1@then", token });
}

async function start() {
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe("ready");
  const takeAll = async (paths: readonly string[]) => {
    child.stdin.write(paths.map((path) => `${path}\n`).join(""));
    const told: string[] = [];
    for (const _ of paths) told.push(await next());
    return told;
  };
  return { child, takeAll, take: async (path: string) => (await takeAll([path]))[0] };
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
