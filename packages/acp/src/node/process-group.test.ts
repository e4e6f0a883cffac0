import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterEach, expect, test } from "vitest";
import { endGroup, signalGroup, spawnGroup } from "./process-group.ts";
import { windowsProgram } from "./windows-program.ts";

const WINDOWS = process.platform === "win32";
const LONG_MS = 60_000;
const started: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => endGroup(child, { graceMs: 0 })));
});

test.skipIf(WINDOWS)("starts the child as the leader of a group of its own", () => {
  const child = start("sleep 600");

  expect(isGroupAlive(child)).toBe(true);
});

test.skipIf(WINDOWS)("ends a group that heeds SIGTERM without waiting out the grace", async () => {
  const child = start("exec sleep 600");

  await endGroup(child, { graceMs: LONG_MS });

  expect({ code: child.exitCode, signal: child.signalCode, alive: isGroupAlive(child) }).toEqual({
    code: null,
    signal: "SIGTERM",
    alive: false,
  });
});

test.skipIf(WINDOWS)("kills a group that ignores SIGTERM once the grace is over", async () => {
  const child = start('trap "" TERM; echo ready; while :; do sleep 0.02; done');
  await nextLine(child);

  await endGroup(child, { graceMs: 50 });

  expect({ signal: child.signalCode, alive: isGroupAlive(child) }).toEqual({ signal: "SIGKILL", alive: false });
});

test.skipIf(WINDOWS)("ends grandchildren with their parent", async () => {
  const child = start("sleep 600 & echo $!; wait");
  const grandchild = Number(await nextLine(child));

  await endGroup(child, { graceMs: LONG_MS });

  expect(isAlive(grandchild)).toBe(false);
});

test.skipIf(WINDOWS)("ends grandchildren whose parent has already exited", async () => {
  const child = start("sleep 600 >&- 2>&- & echo $!");
  const [grandchild] = await Promise.all([nextLine(child).then(Number), once(child, "exit")]);
  expect(isAlive(grandchild)).toBe(true);

  await endGroup(child, { graceMs: LONG_MS });

  expect(isAlive(grandchild)).toBe(false);
});

test.skipIf(WINDOWS)("kills grandchildren that ignore SIGTERM though their parent heeds it", async () => {
  const child = start('(trap "" TERM; echo ready; while :; do sleep 0.02; done) & wait');
  await nextLine(child);

  await endGroup(child, { graceMs: 50 });

  expect({ signal: child.signalCode, alive: isGroupAlive(child) }).toEqual({ signal: "SIGTERM", alive: false });
});

test.skipIf(WINDOWS)("sends SIGTERM once, however often it is asked to end", async () => {
  const child = start('trap "echo term" TERM; echo ready; while :; do sleep 0.02; done');
  const lines = linesOf(child);
  await until(() => lines.includes("ready"));

  const ending = endGroup(child, { graceMs: 300 });
  await until(() => lines.includes("term"));
  await Promise.all([ending, endGroup(child, { graceMs: 300 })]);

  expect(lines).toEqual(["ready", "term"]);
});

test.skipIf(WINDOWS)("lets the shortest grace win", async () => {
  const child = start('trap "" TERM; echo ready; while :; do sleep 0.02; done');
  await nextLine(child);

  await Promise.all([endGroup(child, { graceMs: LONG_MS }), endGroup(child, { graceMs: 20 })]);

  expect(child.signalCode).toBe("SIGKILL");
});

test.skipIf(WINDOWS)("signals the whole group, and says when nobody is left to receive it", async () => {
  const child = start("sleep 600 & echo $!; wait");
  const grandchild = Number(await nextLine(child));

  expect(signalGroup(child, "SIGKILL")).toBe(true);
  await until(() => !isAlive(grandchild));
  await endGroup(child);

  expect(signalGroup(child, "SIGKILL")).toBe(false);
});

test("ends at once what never started", async () => {
  const child = spawnGroup("no-such-command-anywhere", [], { env: process.env, stdio: "ignore" });
  const [error] = await once(child, "error");

  await endGroup(child, { graceMs: LONG_MS });

  expect(error).toMatchObject({ code: "ENOENT" });
  expect(signalGroup(child, "SIGTERM")).toBe(false);
});

test.skipIf(WINDOWS)("listens for the exit of this process only while a group is alive", async () => {
  const before = process.listenerCount("exit");
  const child = start("sleep 600");
  const during = process.listenerCount("exit");

  await endGroup(child, { graceMs: LONG_MS });

  expect({ during, after: process.listenerCount("exit") }).toEqual({ during: before + 1, after: before });
});

test.skipIf(WINDOWS)("kills groups still alive when this process exits", async () => {
  const host = await runHost(`
    const child = spawnGroup("sh", ["-c", 'trap "" TERM; sleep 600 & echo $!; wait'], { env: process.env, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.once("data", (line) => { console.log(child.pid, Number(line)); process.exit(3); });
  `);

  const [child, grandchild] = host.stdout.split(" ").map(Number) as [number, number];
  expect(host.status).toBe(3);
  expect(child).toBeGreaterThan(1);
  await until(() => !isAlive(child) && !isAlive(grandchild));
});

// Where this process is number 1 and reaps no orphans, as in a container without an init.
const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;
test.skipIf(!canUnshare)("does not wait for zombies that nobody reaps", async () => {
  const host = await runHost(
    `
    const child = spawnGroup("sh", ["-c", "sleep 600 & echo $!; wait"], { env: process.env, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.once("data", async (line) => {
      await endGroup(child, { graceMs: 60_000 });
      console.log(process.pid, readFileSync(\`/proc/\${Number(line)}/stat\`, "utf8").split(" ")[2]);
    });
  `,
    ["unshare", "--pid", "--fork", "--mount-proc"],
  );

  expect(host.stdout).toBe("1 Z\n");
});

test.each([
  { env: { SYSTEMROOT: "D:\\Win" }, path: "D:\\Win\\System32\\taskkill.exe" },
  { env: { SystemRoot: "" }, path: "C:\\Windows\\System32\\taskkill.exe" },
  { env: {}, path: "C:\\Windows\\System32\\taskkill.exe" },
])("finds the programs of Windows where the environment says: $path", ({ env, path }) => {
  expect(windowsProgram("taskkill.exe", env)).toBe(path);
});

function start(script: string): ChildProcess {
  const child = spawnGroup("sh", ["-c", script], { env: process.env, stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return child;
}

/** Runs a host of its own, for what can only be seen from outside of it. */
async function runHost(body: string, wrapper: string[] = []): Promise<{ status: number | null; stdout: string }> {
  const folder = await mkdtemp(join(tmpdir(), "acp-host-"));
  try {
    const script = join(folder, "host.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "process-group.ts")],
      outfile: join(folder, "library.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
    });
    const imports = `import { readFileSync } from "node:fs"; import { endGroup, spawnGroup } from "./library.mjs";`;
    await writeFile(script, `${imports}\n${body}`);
    const [file, ...args] = [...wrapper, process.execPath, script];
    const { status, stdout } = spawnSync(file as string, args, { encoding: "utf8" });
    return { status, stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout as NodeJS.ReadableStream, "data");
  return String(chunk).trim();
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => lines.push(line));
  return lines;
}

/** Zombies are dead: how soon they are reaped is up to process 1. A negative id asks for a group. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || readdirSync("/proc").some((name) => isRunning(name, pid));
  } catch {
    return false;
  }
}

function isRunning(name: string, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "latin1");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state !== "Z" && (pid < 0 ? Number(group) === -pid : Number(name) === pid);
  } catch {
    return false;
  }
}

function isGroupAlive(child: ChildProcess): boolean {
  return isAlive(-(child.pid as number));
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}
