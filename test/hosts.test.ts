// The code in the pages about hosts, taken out of them and run: what is shown there works as it stands.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ensureBuilt, mainFile } from "./program/program.ts";

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

test("the Python host of docs/editors.md asks, shows, allows and ends", async (context) => {
  context.skip(!(await hasPython()), "there is no python3 here");
  const lines = await host("python3", "host.py", blockOf("docs/editors.md", "python"));
  expectHosted(lines);
});

test("it works without mcpServers as well, as hosts of the Python agentao leave them out", async (context) => {
  context.skip(!(await hasPython()), "there is no python3 here");
  const source = blockOf("docs/editors.md", "python");
  const older = source.replace(', "mcpServers": []', "");
  expect(older).not.toBe(source);
  expectHosted(await host("python3", "host.py", older));
});

test("the Node host of docs/editors.md asks, shows, allows and ends", async () => {
  expectHosted(await host(process.execPath, "host.mjs", blockOf("docs/editors.md", "js")));
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
    const { command, args } = (servers ?? agents).agentao;
    expect([command.endsWith("agentao"), args]).toEqual([true, ["--acp", "--stdio"]]);
  }
});

test("every piece of docs/embedding.md is a piece of the example", () => {
  const example = read("examples/embed.ts");
  const pieces = blocksOf("docs/embedding.md", "ts").filter((piece) => !piece.startsWith("import "));
  expect(pieces.length).toBe(6);
  expect(pieces.filter((piece) => !example.includes(piece))).toEqual([]);
});

test("the README of @agentao/agent runs as it stands", async () => {
  const script = join(cwd, "readme.ts");
  const local = pathToPackage("agent/src/index.ts");
  const source = blockOf("packages/agent/README.md", "ts").replace('"@agentao/agent"', JSON.stringify(local));
  writeFileSync(script, source.replace("/tmp/hello", join(folder, "spill")));
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

/** Runs a page's host until it ends by itself, and answers what it printed. */
async function host(program: string, file: string, source: string): Promise<string> {
  writeFileSync(join(cwd, file), source);
  const { stdout, stderr } = await run(program, [file, "plan: create notes.txt with hello; run touch asked.txt"]);
  expect(stderr).toBe("");
  return stdout;
}

function expectHosted(printed: string): void {
  expect(printed).toMatch(/^tool: .*notes\.txt/m);
  expect(printed).toMatch(/^allowed: .*touch asked\.txt/m);
  expect(printed.endsWith("ended: end_turn\n")).toBe(true);
  expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toContain("hello");
  expect(readdirSync(cwd)).toContain("asked.txt");
}

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

async function run(program: string, args: readonly string[]) {
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: folder, AGENTAO_HOME: join(folder, "home"), AGENTAO_MODEL: "scripted/demo" };
  return promisify(execFile)(program, args, { cwd, env, timeout: 60_000 });
}
