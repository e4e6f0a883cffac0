import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandOptions, MachineError } from "./machine.ts";
import { createSandbox } from "./sandbox.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";
import { probeSandbox, tryOut } from "./sandbox-probe.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

const probe = await probeSandbox();
const canConfine = probe.available && probe.type === "bubblewrap";
const skipped = canConfine ? "" : ` (skipped: ${probe.available ? "not bubblewrap" : probe.why})`;

let here: TemporaryMachine;
let home: string;

beforeEach(async () => {
  here = await temporaryMachine();
  home = await elsewhere();
});

afterEach(async () => {
  await here[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

describe.skipIf(!canConfine)(`a sandboxed command${skipped}`, () => {
  test("writes inside the roots", async () => {
    expect(await run("echo text >file; mkdir folder; cat file")).toEqual(ended("text\n"));
    expect(await here.get("file")).toBe("text\n");
  });

  test.each([
    { name: "by its path", target: () => "/usr/agentao-test" },
    { name: "in the home folder", target: () => "$HOME/file" },
    { name: "through a link in a root", target: () => "link/file" },
    { name: "by going up", target: () => "../outside/file" },
  ])("cannot write outside: $name", async ({ target }) => {
    const base = home;
    await symlink(base, join(here.root, "link"));

    const { output, exitCode } = await run(`echo x >${target()}`, { env: { ...ENV, HOME: base } });

    expect(exitCode).toBe(1);
    expect(output).toMatch(/Read-only file system|No such file or directory/);
    expect(existsSync("/usr/agentao-test")).toBe(false);
    expect(readdirSync(base)).toEqual([]);
    expect(readdirSync(here.outside)).toEqual([]);
  });

  test("writes nothing, but reads, where nothing is writable", async () => {
    await here.put("file", "text\n");

    const result = await run("cat file; echo more >>file", {
      sandbox: { writable: [], readable: [here.root], network: false },
    });

    expect(result.output).toMatch(/^text\n.*Read-only file system\n$/);
    expect(await here.get("file")).toBe("text\n");
  });

  test("writes in further places that were named", async () => {
    const place = home;

    await run(`echo x >${place}/file`, { sandbox: { writable: [here.root, place], network: false } });

    expect(readdirSync(place)).toEqual(["file"]);
  });

  test("keeps temporary files for the next command, away from everybody else's", async () => {
    const name = `agentao-${process.pid}-${Date.now()}`;
    const { sandbox } = options();

    await run(`echo kept >/tmp/${name}; echo own >$TMPDIR/${name}-2`, { env: { ...ENV, TMPDIR: "/nowhere" } });

    expect(existsSync(join("/tmp", name))).toBe(false);
    expect((await run(`cat /tmp/${name} /tmp/${name}-2`)).output).toBe("kept\nown\n");
    await using other = await temporaryMachine();
    const seen = await other.machine.run(`cat /tmp/${name}`, other.command({ sandbox }));
    expect(seen.exitCode).toBe(1);
  });

  test("reads what other commands have written at length", async () => {
    const { outputFile } = await run("seq 1 100000");

    expect((await run(`tail -1 ${outputFile}`)).output).toBe("100000\n");
  });

  test("cannot reach a server of this machine, unless it has the network", async () => {
    const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
    try {
      expect((await run(ask)).exitCode).not.toBe(0);
      expect((await run(ask, { sandbox: { ...options().sandbox, network: true } })).output).toContain("reached");
    } finally {
      server.close();
    }
  });

  test("cannot change what runs by itself, nor move it away", async () => {
    await mkdir(join(here.root, ".git"));
    await here.put(".git/config", "[core]\n");
    await here.put(".agentao/settings.json", "{}");

    const { output } = await run(
      [
        "echo x >.git/hooks/pre-commit",
        "echo x >>.git/config",
        "mv .git/config .git/other",
        "mv .git .git-away",
        "rm -r .git/hooks",
        "echo x >.agentao/settings.json",
        "mv .agentao .away",
        "echo index >.git/index && cat .git/index",
      ].join("; "),
    );

    expect(output.split("\n").filter((line) => /Read-only|busy/.test(line)).length).toBe(7);
    expect(output).toMatch(/\nindex\n$/);
    expect(readdirSync(here.root).sort()).toEqual([".agentao", ".git"]);
    expect(readdirSync(join(here.root, ".git", "hooks"))).toEqual([]);
    expect(await here.get(".git/config")).toBe("[core]\n");
    expect(await here.get(".agentao/settings.json")).toBe("{}");
  });

  test("cannot lead git to settings of its own", async () => {
    await here.put(".git/config", "[core]\n");
    await here.put(".git/modules/deep/sub/HEAD", "ref: x\n");
    await here.put(".git/modules/deep/sub/config", "[core]\n");

    const { output } = await run(
      [
        "mkdir evil && echo '[core] fsmonitor = touch x' >evil/config",
        "echo ../evil >.git/commondir",
        "echo x >.git/config.worktree",
        "echo x >.git/modules/deep/sub/config",
        "echo x >.git/modules/deep/sub/hooks/pre-commit",
        "echo /evil >.git/modules/deep/sub/commondir",
      ].join("; "),
    );

    expect(output.match(/modules\/deep\/sub\/(config|hooks\/pre-commit): Read-only file system/g)).toHaveLength(2);
    expect(output.split("\n").filter((line) => line.startsWith("[sandbox"))).toEqual([
      "[sandbox: this command created .git/config.worktree, which leads git to other settings; it was removed]",
      "[sandbox: this command created .git/commondir, which leads git to other settings; it was removed]",
      "[sandbox: this command created .git/modules/deep/sub/commondir, which leads git to other settings; it was removed]",
    ]);
    expect(readdirSync(join(here.root, ".git")).sort()).toEqual(["config", "hooks", "modules"]);
    expect(await run("true")).toEqual(ended(""));
  });

  test("cannot change where the repository of a worktree is", async () => {
    await here.put(".git", "gitdir: /somewhere\n");

    const { output } = await run("echo x >.git; rm .git; mv .git away");

    expect(output.split("\n").filter((line) => /Read-only|busy/.test(line))).toHaveLength(3);
    expect(await here.get(".git")).toBe("gitdir: /somewhere\n");
  });

  test.each([
    { name: "a hook", command: "mkdir -p .git/hooks; echo x >.git/hooks/pre-commit", told: [".git/hooks"] },
    { name: "settings that run", command: "mkdir .git; echo 'fsmonitor = x' >.git/config", told: [".git/config"] },
    { name: "other folders", command: "mkdir .husky .vscode; echo x >.envrc", told: [".husky", ".vscode", ".envrc"] },
    { name: "a link", command: "mkdir away; ln -s away .git", told: [".git"] },
    { name: "a plain repository", command: "mkdir -p .git/hooks; echo '[core]' >.git/config", told: [] },
    { name: "nothing of that kind", command: "mkdir src; echo x >src/.envrc", told: [] },
  ])("that leaves $name is told of", async ({ command, told }) => {
    const { output } = await run(command);

    expect(output).toBe(
      told
        .map(
          (name) =>
            `[sandbox: this command created ${name}, by which programs can run code outside of the sandbox; look at it first]\n`,
        )
        .join(""),
    );
  });

  test("makes nothing writable that a link of a special name leads to", async () => {
    await symlink(home, join(here.root, ".git"));
    await symlink(home, join(here.root, ".agentao"));

    const { exitCode } = await run("echo x >.git/file || echo x >.agentao/file");

    expect(exitCode).toBe(1);
    expect(readdirSync(home)).toEqual([]);
  });

  test("cannot read credentials of the home folder, also where that is a root", async () => {
    const base = home;
    await mkdir(join(base, ".ssh"));
    await mkdir(join(base, ".agentao", "skills"), { recursive: true });
    await writeFile(join(base, ".ssh", "key"), "secret");
    await writeFile(join(base, ".agentao", "settings.json"), "secret");
    await writeFile(join(base, ".agentao", "skills", "skill"), "known\n");
    await writeFile(join(base, ".npmrc"), "secret");
    await writeFile(join(base, "vault"), "secret");
    await writeFile(join(base, ".gitconfig"), "name\n");
    await symlink(join(base, ".npmrc"), join(base, "rc"));
    const look = "cd; cat .ssh/key .agentao/settings.json .npmrc rc vault .gitconfig .agentao/skills/skill";
    const sandbox = { ...options().sandbox, hidden: [join(base, "vault")] };

    for (const writable of [[here.root], [here.root, base]]) {
      const { output } = await run(look, { env: { ...ENV, HOME: base }, sandbox: { ...sandbox, writable } });

      expect(output).not.toContain("secret");
      expect(output).toMatch(/name\nknown\n$/);
    }
    expect(await readFile(join(base, ".npmrc"), "utf8")).toBe("secret");
  });

  test("works in a folder that lies in a hidden one", async () => {
    const base = home;
    const folder = join(base, ".claude", "skill");
    await mkdir(folder, { recursive: true });

    const result = await run("echo x >file; ls -A ..", {
      cwd: folder,
      env: { ...ENV, HOME: base },
      sandbox: { writable: [folder], network: false },
    });

    expect(result).toEqual(ended("skill\n"));
  });

  test("sees no other processes, no sockets of services and no settings of the kernel that it could write", async () => {
    const { output } = await run("ps -e | wc -l; ls -A /run | grep -v systemd; echo x >/proc/sys/kernel/core_pattern");

    expect(output).toMatch(/^\s*[3-6]\n.*(Read-only file system|Permission denied)\n$/);
  });

  test.each([
    { command: "exit 0", exitCode: 0, signal: null },
    { command: "exit 3", exitCode: 3, signal: null },
    { command: "no-such-program 2>/dev/null", exitCode: 127, signal: null },
    { command: "kill -TERM $$", exitCode: null, signal: "SIGTERM" },
    { command: "kill -KILL $$", exitCode: null, signal: "SIGKILL" },
    { command: "kill -SEGV $$", exitCode: null, signal: "SIGSEGV" },
  ])("tells how it ended: $command", async ({ command, exitCode, signal }) => {
    expect(await run(command)).toMatchObject({ exitCode, signal, ended: "by-itself" });
  });

  test("has the folder, the environment, the output and the descriptors of every other command", async () => {
    await mkdir(join(here.root, "sub"));
    const command =
      "pwd; echo $NAME; for n in 1 2; do echo out; echo err >&2; done; echo x >/dev/stderr; ls /proc/self/fd";
    const given = { cwd: join(here.root, "sub"), env: { ...ENV, NAME: "a b" } };

    const free = await here.machine.run(command, here.command(given));

    expect(await run(command, given)).toEqual(free);
    expect(free.output).toContain(`${given.cwd}\na b\nout\nerr\nout\nerr\nx\n0\n1\n2\n`);
  });

  test("leaves nothing behind, not even what left its group", async () => {
    const mark = `6${Date.now() % 1e8}`;

    const result = await run(`sleep ${mark} & setsid sleep ${mark} & echo begun`);

    expect(result).toEqual(ended("begun\n"));
    await until(() => running(mark).length === 0);
  });

  test("may clean up when it takes too long, and is ended at once when nobody wants it", async () => {
    const mark = `7${Date.now() % 1e8}`;
    const cleaned = await run('trap "echo cleaned; exit 7" TERM; while :; do sleep 0.02; done', { inactivityMs: 300 });
    const stop = new AbortController();
    const killed = await run(`trap "" TERM; echo begun; sleep ${mark} & while :; do sleep 0.02; done`, {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });

    expect(cleaned).toMatchObject({
      output: expect.stringContaining("cleaned\n"),
      exitCode: 7,
      signal: null,
      ended: "inactive",
    });
    expect(killed).toMatchObject({ output: "begun\n", exitCode: null, signal: "SIGKILL", ended: "aborted" });
    await until(() => running(mark).length === 0);
  });

  test("dies with this process", async () => {
    const mark = `8${Date.now() % 1e8}`;
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
       const options = ${JSON.stringify({ ...here.command(), ...options(), signal: undefined })};
       const command = 'trap "" TERM HUP; setsid sleep ${mark} & sleep ${mark} & echo begun; wait';
       const { signal } = new AbortController();
       machine.run(command, { ...options, signal, onOutput: (text) => console.log(text) });`,
    );
    const host = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("begun");
    await until(() => running(mark).length === 2);

    host.kill("SIGKILL");

    await until(() => running(mark).length === 0);
  });
});

describe("what can confine", () => {
  test("is not found where nothing is installed", async () => {
    expect(await tryOut({ bubblewrap: ["/nowhere/bwrap"], platform: "linux" })).toEqual({
      available: false,
      why: "bubblewrap (bwrap) is not installed",
    });
    expect(await tryOut({ platform: "win32" })).toEqual({ available: false, why: "there is none for win32" });
  });

  test.skipIf(process.platform === "win32")("is not used where it may not work, and says why", async () => {
    const program = await here.put(
      "bwrap",
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n",
    );
    await chmod(program, 0o755);

    expect(await tryOut({ bubblewrap: [program], platform: "linux" })).toEqual({
      available: false,
      why: "bubblewrap cannot work here: No permissions to create new namespace",
    });
  });

  test("that is not there keeps the command from running", async () => {
    const sandbox = createSandbox(here.spillFolder, async () => ({ available: false, why: "it is not installed" }));

    await expect(sandbox.confine({ writable: [], network: false }, here.command())).rejects.toEqual(
      new MachineError("failed", "The sandbox is not available: it is not installed"),
    );
  });
});

const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };

function options(): { readonly sandbox: SandboxPolicy; readonly env: CommandOptions["env"] } {
  return { sandbox: { writable: [here.root], network: false }, env: { ...ENV, HOME: home } };
}

function run(command: string, more: Partial<CommandOptions> = {}) {
  return here.machine.run(command, here.command({ ...options(), ...more }));
}

function ended(output: string) {
  return { output, exitCode: 0, signal: null, ended: "by-itself" };
}

/** Nobody's temporary files are seen in a sandbox, so what it does in other places has to be tried in another place. */
function elsewhere(): Promise<string> {
  return mkdtemp("/var/tmp/agentao-sandbox-");
}

/** Processes that sleep for as long as that. */
function running(seconds: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").startsWith(`sleep\0${seconds}\0`);
    } catch {
      return false;
    }
  });
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}
