// The code in the pages about hosts, taken out of them and run: what is shown there works as it stands.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureBuilt, mainFile } from "./program/built.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "agentao-hosts-"));
const bin = join(folder, "bin");
let cwd = "";

beforeAll(async () => {
  await ensureBuilt();
  mkdirSync(bin);
  symlinkSync(mainFile, join(bin, "agentao"));
}, 120_000);
beforeEach(() => {
  cwd = mkdtempSync(join(folder, "work-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface HostCase {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  readonly source: string;
}

const python = { program: "python3", file: "host.py", source: blockOf("docs/editors.md", "python") };
const hosts: readonly HostCase[] = [
  { name: "the Python host", ...python },
  // As hosts of the Python agentao leave it out.
  { name: "the Python host without mcpServers", ...python, source: python.source.replace(', "mcpServers": []', "") },
  { name: "the Node host", program: process.execPath, file: "host.mjs", source: blockOf("docs/editors.md", "js") },
];

test("the hosts differ", () => {
  expect(new Set(hosts.map(({ source }) => source)).size).toBe(3);
});

describe.each(hosts)("$name of docs/editors.md", { timeout: 120_000 }, ({ program, file, source }) => {
  beforeEach(async (context) => {
    context.skip(program === "python3" && !(await hasPython()), "there is no python3 here");
    writeFileSync(join(cwd, file), source);
  });

  test("asks, shows, allows and ends", async () => {
    const { stdout, stderr } = await run(program, [file, "plan: create notes.txt with hello; run touch asked.txt"]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^tool: .*notes\.txt/m);
    expect(stdout).toMatch(/^allowed: .*touch asked\.txt/m);
    expect(stdout.endsWith("ended: end_turn\n")).toBe(true);
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toContain("hello");
    expect(readdirSync(cwd)).toContain("asked.txt");
  });

  test("cancels its turn on Ctrl-C, and ends", async ({ signal }) => {
    // Killed with its signal when this test is given up; then its agent ends, too.
    const child = spawn(program, [file, "run sleep 300"], { cwd, env: environment(), signal, killSignal: "SIGKILL" });
    child.on("error", () => {});
    let printed = "";
    let isCancelled = false;
    child.stdout.on("data", (data) => {
      printed += data;
      if (!isCancelled && printed.includes("tool:")) isCancelled = child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    expect([code, printed.split("\n").at(-2)]).toEqual([0, "ended: cancelled"]);
  });

  test("says how it is used where nothing is asked", async () => {
    await expect(run(program, [file])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(file) });
  });

  test("says so when the program is not there, or ends before it answers", async () => {
    const absent = run(program, [file, "Hello"], { PATH: dirname(process.execPath).concat(":/usr/bin:/bin") });
    await expect(absent).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("not on the PATH") });
    const broken = join(cwd, "bin");
    mkdirSync(broken);
    writeFileSync(join(broken, "agentao"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    const ended = run(program, [file, "Hello"], { PATH: `${broken}:/usr/bin:/bin` });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("agentao ended with code 3"),
    });
  });
});

test("the line to try by hand answers with one line, and ends", async () => {
  const command = /printf .*/.exec(read("docs/editors.md"))?.[0] ?? "";
  expect(command).toContain("| agentao --acp");
  const { stdout, stderr } = await run("sh", ["-c", command]);
  expect([stdout.trimEnd().split("\n").length, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ id: 0, result: { agentInfo: { name: "agentao" } } });
});

test("what is written as JSON in the pages is JSON, and starts agentao with its flags", () => {
  const blocks = ["docs/editors.md", "packages/cli/README.md"].flatMap((path) => blocksOf(path, "json"));
  expect(blocks.length).toBe(4);
  for (const block of blocks) {
    const { agent_servers: servers, agents } = JSON.parse(block);
    const { command, args, argv = [command, ...args] } = (servers ?? agents).agentao;
    expect([argv[0].endsWith("agentao"), argv.slice(1)]).toEqual([true, ["--acp", "--stdio"]]);
  }
});

test("what docs/embedding.md shows first is the example, whole", () => {
  const [shown] = blocksOf("docs/embedding.md", "ts");
  expect(shown).toBe(read("examples/embed.ts").replace(/^(\/\/.*\n)+\n/, ""));
});

test("the README of @agentao/agent runs as it stands", async () => {
  const script = join(cwd, "readme.ts");
  const local = pathToPackage("agent/src/index.ts");
  const source = blockOf("packages/agent/README.md", "ts").replace('"@agentao/agent"', JSON.stringify(local));
  writeFileSync(script, source);
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
  const { stdout } = await run(process.execPath, ["--import", import.meta.resolve("tsx"), script]);
  expect(stdout).toBe("Hello!\n");
});

test("links of the pages lead somewhere", () => {
  const links = ["docs/editors.md", "docs/embedding.md"].flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => join(root, dirname(path), match[1] ?? "")),
  );
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((path) => !readdirSync(dirname(path)).includes(path.split("/").at(-1) ?? ""))).toEqual([]);
});

function blockOf(path: string, language: string): string {
  const [first, ...others] = blocksOf(path, language);
  if (first === undefined || others.length > 0)
    throw new Error(`${path} has ${others.length + 1} blocks of ${language}`);
  return first;
}

/** What stands between fences, at the left edge. */
function blocksOf(path: string, language: string): string[] {
  return [...read(path).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    (match) => match[1] ?? "",
  );
}

function pathToPackage(path: string): string {
  return new URL(`../packages/${path}`, import.meta.url).href;
}

async function hasPython(): Promise<boolean> {
  return run("python3", ["--version"]).then(
    () => true,
    () => false,
  );
}

function environment(more: Readonly<Record<string, string>> = {}) {
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const home = join(folder, "home");
  return { PATH: path, HOME: folder, AGENTAO_HOME: home, AGENTAO_MODEL: "scripted/demo", ...more };
}

async function run(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  return promisify(execFile)(program, args, { cwd, env: environment(more), timeout: 60_000 });
}
