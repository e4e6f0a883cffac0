import { type ChildProcess, spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { closeSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeptOutput } from "./kept-output.ts";
import { MachineError } from "./machine.ts";
import { createPipes, startCommand } from "./start-command.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";
import { createWatchdog } from "./watchdog.ts";

const POSIX = process.platform !== "win32";
const LINUX = process.platform === "linux";
const IGNORES_TERM = 'trap "" TERM; echo $$; while :; do sleep 0.02; done';

let here: TemporaryMachine;

beforeEach(async () => {
  here = await temporaryMachine();
});

afterEach(() => here[Symbol.asyncDispose]());

describe.skipIf(!POSIX)("a command", () => {
  test.each([
    { command: "exit 0", exitCode: 0, signal: null },
    { command: "exit 3", exitCode: 3, signal: null },
    { command: "exit 143", exitCode: 143, signal: null },
    { command: "no-such-program 2>/dev/null", exitCode: 127, signal: null },
    { command: "kill -TERM $$", exitCode: null, signal: "SIGTERM" },
    { command: "kill -KILL $$", exitCode: null, signal: "SIGKILL" },
  ])("tells how it ended: $command", async ({ command, exitCode, signal }) => {
    expect(await run(command)).toEqual({ output: "", exitCode, signal, ended: "by-itself" });
  });

  test("merges stdout and stderr in the order they were written", async () => {
    expect((await run("for n in 1 2 3; do echo out $n; echo err $n >&2; done")).output).toBe(
      "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n",
    );
  });

  test("can open its own stdout and stderr by name", async () => {
    expect((await run("echo one >/dev/stderr; echo two | tee /dev/stderr")).output).toBe("one\ntwo\ntwo\n");
  });

  test("is run by bash where there is one", async () => {
    expect((await run("echo $BASH_VERSION")).output).toMatch(/^\d+\./);
  });

  test("is run by the shell that was named", async () => {
    await using other = await temporaryMachine({ shell: "/bin/sh" });

    expect((await other.machine.run("echo $0", other.command())).output).toBe("/bin/sh\n");
  });

  test("has no input, the folder it was given, and no descriptors but its own", async () => {
    const { output } = await run("cat; pwd; readlink /proc/$$/fd/0; readlink /proc/$$/fd/3 || echo none");

    expect(output).toBe(`${here.root}\n${LINUX ? "/dev/null\n" : ""}none\n`);
  });

  test("has exactly the environment it was given, but for its mark and what a shell adds", async () => {
    const result = await run("env | sort", { env: { PATH: "/usr/bin:/bin", NAME: "a b", GONE: undefined } });

    expect(result.output.replace(/^(PWD|SHLVL|_|OLDPWD|AGENTAO_RUN)=.*\n/gm, "")).toBe(
      "NAME=a b\nPATH=/usr/bin:/bin\n",
    );
  });

  test("has no children that it did not start", async () => {
    expect((await run("wait; echo done; ps -o pid= --ppid $$ | wc -l")).output).toMatch(/^done\n[12]\n$/);
  });

  test("leads a group of its own", async () => {
    const { output } = await run("echo $$; ps -o pgid= -p $$");
    const [pid, group] = output.trim().split(/\s+/);

    expect(group).toBe(pid);
    expect(Number(group)).not.toBe(process.pid);
  });

  test.each([
    { name: "escape codes", printed: "\\033[1;31mred\\033[0m \\033]0;title\\007plain", output: "red plain" },
    { name: "a line written over", printed: "10%%\\r20%%\\r\\nnext\\r\\n", output: "20%\nnext\n" },
    { name: "erased characters", printed: "abc\\b\\bd", output: "ad" },
    { name: "controls", printed: "a\\001\\000b\\tc", output: "ab\tc" },
    { name: "bytes that are no text", printed: "a\\377b", output: "a\ufffdb" },
  ])("has its output cleaned: $name", async ({ printed, output }) => {
    expect((await run(`printf '${printed}'`)).output).toBe(output);
  });

  test("says that its folder is not there", async () => {
    const cwd = join(here.root, "none");

    await expect(run("true", { cwd })).rejects.toEqual(
      new MachineError("not-found", `The working directory ${cwd} does not exist`),
    );
  });

  test("says that it is too long", async () => {
    await expect(run(`: ${"x".repeat(300_000)}`)).rejects.toMatchObject({ code: "too-large" });
  });
});

describe.skipIf(!POSIX)("long output", () => {
  test("is kept whole while it is short", async () => {
    const { output, outputFile } = await run("seq 1 5000");

    expect(output).toBe(numbers(1, 5000));
    expect(outputFile).toBeUndefined();
    await until(() => !existsSync(here.spillFolder) || readdirSync(here.spillFolder).length === 0);
  });

  test("is bounded to whole lines of its head and tail, and written to a file", async () => {
    const { output, outputFile } = await run("seq 1 100000");

    const [head, gap, tail] = output.split(/(?<=\n)(\[… .* …\])\n/) as [string, string, string];
    const headEnd = head.trimEnd().split("\n").length;
    const tailStart = Number(tail.slice(0, tail.indexOf("\n")));
    expect(head).toBe(numbers(1, headEnd));
    expect(tail).toBe(numbers(tailStart, 100000));
    const left = numbers(headEnd + 1, tailStart - 1).length + 1;
    expect(gap).toBe(
      `[… ${left.toLocaleString("en-US")} characters left out here; the whole output can be read in ${outputFile} …]`,
    );
    expect(output.length).toBeLessThan(38_200);
    expect(await readFile(outputFile as string, "utf8")).toBe(numbers(1, 100000));
  });

  test("loses no line that stays when lines are written over a thousand times", async () => {
    const { output } = await run(
      'for n in 1 2 3; do for p in $(seq 1 2000); do printf "%s%% of something long\\r" $p; done; echo "step $n"; done',
    );

    expect(output).toBe("step 1\nstep 2\nstep 3\n");
  });

  test("does not fill the memory", async () => {
    const stop = new AbortController();
    const before = process.memoryUsage().rss;
    let heard = 0;
    let longest = 0;

    const result = await run("yes 'a line that is repeated for ever'", {
      signal: stop.signal,
      onOutput: (text) => {
        longest = Math.max(longest, text.length);
        if (++heard === 5) stop.abort();
      },
    });

    expect(result.ended).toBe("aborted");
    expect(result.output.length).toBeLessThan(38_200);
    expect(longest).toBeLessThan(40_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test("leaves the memory when it is far back", async () => {
    const kept = createKeptOutput(here.spillFolder);
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const before = used();

    for (let piece = 0; piece < 300; piece++) await kept.write(Buffer.alloc(1_000_000, "x").toString("latin1"));

    expect(used() - before).toBeLessThan(200_000_000);
    expect((await kept.end()).output.length).toBeLessThan(38_200);
  });

  test("is said to be lost when it cannot be written", async () => {
    await writeFile(here.spillFolder, "a file, not a folder");

    const { output, outputFile, exitCode } = await run("seq 1 100000");

    expect({ outputFile, exitCode }).toEqual({ outputFile: undefined, exitCode: 0 });
    expect(output).toMatch(/\n\[… [\d,]+ characters left out and lost …\]\n/);
  });
});

describe.skipIf(!POSIX)("live output", () => {
  test("is all output, in no more than 20 pieces a second", async () => {
    const heard: string[] = [];
    const startedAt = performance.now();

    await run("for n in $(seq 1 40); do echo $n; sleep 0.01; done", { onOutput: (text) => heard.push(text) });

    const seconds = (performance.now() - startedAt) / 1000;
    expect(heard.join("")).toBe(numbers(1, 40));
    expect(heard.length).toBeLessThanOrEqual(20 * seconds + 1);
  });

  test("comes before the command ends", async () => {
    const stop = new AbortController();

    const { ended } = await run("echo first; sleep 60", {
      signal: stop.signal,
      onOutput: (text) => {
        expect(text).toBe("first\n");
        stop.abort();
      },
    });

    expect(ended).toBe("aborted");
  });
});

describe.skipIf(!POSIX)("an end", () => {
  test("comes after too long without output", async () => {
    const result = await run("for n in 1 2 3 4 5 6; do echo $n; sleep 0.15; done; sleep 60", { inactivityMs: 600 });

    expect(result).toEqual({ output: numbers(1, 6), exitCode: null, signal: "SIGTERM", ended: "inactive" });
  });

  test("comes after too long, whatever the output", async () => {
    const result = await run("while :; do echo x; sleep 0.02; done", { totalMs: 200 });

    expect(result).toMatchObject({ exitCode: null, ended: "too-long" });
  });

  test("gives a command that took too long time to clean up", async () => {
    const result = await run('trap "sleep 0.2; echo cleaned; exit 7" TERM; while :; do sleep 0.02; done', {
      inactivityMs: 500,
    });

    expect(result).toMatchObject({ exitCode: 7, signal: null, ended: "inactive" });
    expect(result.output).toContain("cleaned\n");
  });

  test("comes at once when aborted, even for a command that ignores SIGTERM", async () => {
    const stop = new AbortController();
    let abortedAt = 0;

    const result = await run(IGNORES_TERM, {
      signal: stop.signal,
      onOutput: () => {
        abortedAt = performance.now();
        stop.abort();
      },
    });

    // 100 ms is the promise; the rest is for a busy machine.
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", ended: "aborted" });
    expect(isAlive(Number(result.output))).toBe(false);
  });

  test("comes at once when aborted after a timeout has begun to end it", async () => {
    const stop = new AbortController();
    let abortedAt = 0;
    const running = run(`trap "echo term" TERM; while :; do sleep 0.02; done`, {
      signal: stop.signal,
      inactivityMs: 500,
      onOutput: () => {
        abortedAt = performance.now();
        stop.abort();
      },
    });

    expect(await running).toMatchObject({ exitCode: null, signal: "SIGKILL", ended: "inactive" });
    // The grace after a timeout alone would be 500 ms.
    expect(performance.now() - abortedAt).toBeLessThan(450);
  });

  test("takes grandchildren along that ignore SIGTERM though their parent heeds it", async () => {
    const stop = new AbortController();

    const result = await run(`(${IGNORES_TERM.replace("$$", "$BASHPID")}) & wait`, {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });

    expect(result).toMatchObject({ signal: "SIGTERM", ended: "aborted" });
    expect(isAlive(Number(result.output))).toBe(false);
  });

  test("takes along what the command left running", async () => {
    const result = await run("sleep 600 & echo $!");

    expect(result).toMatchObject({ exitCode: 0, ended: "by-itself" });
    expect(isAlive(Number(result.output))).toBe(false);
  });

  test("does not wait for a process that left the group and holds the output", async () => {
    const startedAt = performance.now();
    const result = await run("setsid sleep 20 & sleep 0.2; echo $!");

    const escaped = Number(result.output);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(result).toMatchObject({ exitCode: 0, ended: "by-itself" });
    expect(escaped).toBeGreaterThan(1);
    expect(isAlive(escaped)).toBe(true);
    process.kill(escaped, "SIGKILL");
  });

  test.skipIf(!LINUX)("takes along what left the group, when nobody wants the command any more", async () => {
    const stop = new AbortController();
    let output = "";
    const running = run("setsid sleep 600 & echo $!; wait", {
      signal: stop.signal,
      onOutput: (text) => {
        output += text;
      },
    });
    await until(() => output.endsWith("\n"));
    expect(isAlive(Number(output))).toBe(true);

    stop.abort();
    await running;

    await until(() => !isAlive(Number(output)));
  });

  test.skipIf(!LINUX)("of the machine takes along what left the group, and nothing of others", async () => {
    await using other = await temporaryMachine();
    const command = "setsid sleep 600 & sleep 0.1; echo $!";
    const ours = Number((await run(command)).output);
    const theirs = Number((await other.machine.run(command, other.command())).output);
    expect([ours, theirs].map(isAlive)).toEqual([true, true]);

    await here.machine.close?.();

    await until(() => !isAlive(ours));
    expect(isAlive(theirs)).toBe(true);
    await other.machine.close?.();
    await until(() => !isAlive(theirs));
  });

  test("comes before the beginning when the signal has fired", async () => {
    const marker = join(here.root, "marker");
    const nothing = { output: "", exitCode: null, signal: null, ended: "aborted" };
    expect(await run(`touch ${marker}`, { signal: AbortSignal.abort() })).toEqual(nothing);

    const watchdog = createWatchdog({ lingerMs: 0 });
    const pipes = createPipes(watchdog, here.spillFolder);
    const options = { ...here.command({ signal: AbortSignal.abort() }), shell: "/bin/sh", watchdog, pipes };
    const { child } = await startCommand(`touch ${marker}`, options);
    await once(child, "exit");

    expect(child.exitCode).toBe(1);
    expect(existsSync(marker)).toBe(false);
  });

  test("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();

    await run("true", { signal });

    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe.skipIf(!POSIX)("the death of this process", () => {
  test.each([
    { name: "SIGKILL", die: 'process.kill(process.pid, "SIGKILL")' },
    { name: "a crash", die: 'setTimeout(() => { throw new Error("crash"); })' },
    { name: "process.exit", die: "process.exit(0)" },
  ])("ends its commands: $name", async ({ die }) => {
    const host = await startHost(`
      const commands = ['trap "" TERM HUP; (trap "" TERM HUP; sleep 600) & echo $! $$; wait', 'echo $$ 2; exec sleep 600'];
      const said = commands.map((command) => new Promise((resolve) => {
        machine.run(command, { ...options, onOutput: resolve });
      }));
      console.log((await Promise.all(said)).join(" ").replaceAll("\\n", ""));
      ${die};
    `);
    const ended = once(host.child, "exit");
    const pids = (await host.nextLine()).split(/\s+/).map(Number);
    await ended;

    expect(pids).toEqual([expect.any(Number), expect.any(Number), expect.any(Number), 2]);
    await until(() => !pids.slice(0, 3).some(isAlive));
  });

  test("does not come later because of a watchdog that waits", async () => {
    const host = await startHost('await machine.run("true", options); console.log(Date.now());');
    const ended = once(host.child, "exit");

    const saidAt = Number(await host.nextLine());
    await ended;

    expect(host.child.exitCode).toBe(0);
    expect(Date.now() - saidAt).toBeLessThan(2_500);
  });
});

describe.skipIf(!LINUX)("pipes", () => {
  test("are made ahead, used once, and closed when nobody comes for them", async () => {
    const watchdog = createWatchdog({ lingerMs: 0 });
    const pipes = createPipes(watchdog, here.spillFolder, { preparedMs: 20 });
    const before = readdirSync("/proc/self/fd").length;
    pipes.prepare();
    pipes.prepare();
    const one = await pipes.take();
    const two = await pipes.take();

    expect(one?.reader).not.toBe(two?.reader);
    for (const pipe of [one, two]) for (const fd of [pipe?.reader, pipe?.writer]) closeSync(fd as number);
    pipes.prepare();
    await until(() => readdirSync("/proc/self/fd").length <= before);
    expect(readdirSync(here.spillFolder)).toEqual([]);
  });
});

describe.skipIf(!LINUX)("a watchdog", () => {
  test("is gone when nobody needs it", async () => {
    const before = childrenOf(process.pid);
    const watchdog = createWatchdog({ lingerMs: 0 });
    const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    watchdog.hold(child.pid as number);
    const during = childrenOf(process.pid).filter((pid) => !before.includes(pid));

    watchdog.free(child.pid as number);

    expect(during.length).toBe(2);
    await until(
      () =>
        childrenOf(process.pid)
          .filter((pid) => !before.includes(pid))
          .join() === String(child.pid),
    );
    child.kill("SIGKILL");
  });

  test("that was killed is replaced by one that knows the groups", async () => {
    const host = await startHost(`
      machine.run("echo $$; exec sleep 600", { ...options, onOutput: (text) => console.log(text.trim()) });
      process.once("SIGUSR2", () => machine.run("true", options).then(() => console.log("again")));
    `);
    const pid = Number(await host.nextLine());
    const isDog = (child: number) => readFileSync(`/proc/${child}/cmdline`, "latin1").includes("mkfifo");
    const [dog] = childrenOf(host.child.pid as number).filter(isDog) as [number];
    process.kill(dog, "SIGKILL");
    await until(() => !childrenOf(host.child.pid as number).includes(dog));
    host.child.kill("SIGUSR2");
    await host.nextLine();

    host.child.kill("SIGKILL");

    await until(() => !isAlive(pid));
  });
});

function run(command: string, options?: Parameters<TemporaryMachine["command"]>[0]) {
  return here.machine.run(command, here.command(options));
}

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join("");
}

/** A process of its own that runs commands, for what can only be seen from outside. */
async function startHost(story: string): Promise<{ child: ChildProcess; nextLine(): Promise<string> }> {
  await build({
    entryPoints: [join(import.meta.dirname, "local-machine.ts")],
    outfile: join(here.root, "library.mjs"),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
  });
  const script = await here.put(
    "host.mjs",
    `import { localMachine } from "./library.mjs";
     const machine = localMachine({ roots: [], spillFolder: ${JSON.stringify(here.spillFolder)} });
     const { signal } = new AbortController();
     const options = { cwd: "/", env: { PATH: process.env.PATH }, inactivityMs: 60_000, totalMs: 60_000, signal };
     ${story}`,
  );
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, nextLine: async () => String((await lines.next()).value) };
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.parent === parent)
    .map(Number);
}

/** Zombies are dead: how soon they are reaped is up to process 1. */
function isAlive(pid: number): boolean {
  if (LINUX) return !["Z", "X", undefined].includes(statOf(pid)?.state);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function statOf(pid: number): { state: string | undefined; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}
