// The completion scripts, in the shells they are for.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../packages/cli/src/command/index.ts";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt, mainFile } from "../program/built.ts";
import { runProgram } from "../program/run-program.ts";

const scripts: Record<string, string> = {};
let folder = "";

beforeAll(async () => {
  await ensureBuilt();
  const made = new Map<string, string>();
  for (const shell of ["bash", "zsh", "fish"]) made.set(shell, (await runProgram(["completion", shell])).stdout);
  cleanUp();
  folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/agentao"), `#!/bin/sh\nexec "${process.execPath}" "${mainFile}" "$@"\n`);
  chmodSync(join(folder, "bin/agentao"), 0o755);
  for (const [shell, script] of made) {
    scripts[shell] = join(folder, `agentao.${shell}`);
    writeFileSync(scripts[shell], script);
  }
}, 120_000);
afterAll(cleanUp);

const runShell = (shell: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string =>
  execFileSync(shell, args, { encoding: "utf8", env });
const has = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0;

test.each(["bash", "zsh", "fish"])("%s can read its script", (shell) => {
  if (!has(shell)) return;
  expect(execFileSync(shell, ["-n", scripts[shell] ?? ""], { encoding: "utf8" })).toBe("");
});

describe.skipIf(!has("bash"))("in bash", () => {
  const complete = (...words: string[]): string[] => {
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agentao; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = {
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      AGENTAO_HOME: join(folder, "home"),
    };
    const said = execFileSync("bash", ["--norc", "-c", program, "bash", scripts.bash ?? "", "agentao", ...words], {
      encoding: "utf8",
      env,
    });
    return said.split("\n").filter((line) => line !== "");
  };

  test("names every command", () => {
    expect(complete("")).toEqual(expect.arrayContaining(Object.keys(commands)));
    expect(complete("sess")).toEqual(["sessions"]);
  });

  test("names subcommands, their options, and the values of those", () => {
    expect(complete("sessions", "")).toEqual(
      expect.arrayContaining(["list", "show", "search", "export", "delete", "prune"]),
    );
    expect(complete("sessions", "prune", "--")).toEqual(["--older-than", "--keep", "--dry-run", "--yes"]);
    expect(complete("sessions", "export", "x", "--format", "")).toEqual(["markdown", "json", "html"]);
    expect(complete("completion", "f")).toEqual(["fish"]);
    expect(complete("help", "doc")).toEqual(["doctor"]);
    expect(complete("run", "--mode", "")).toEqual(["read-only", "workspace-write", "full-access", "plan"]);
    expect(complete("run", "x", "--format", "")).toEqual(["text", "json", "stream-json"]);
    expect(complete("acp", "re")).toEqual(["replay"]);
    expect(complete("acp", "replay", "--as", "")).toEqual(["client", "agent"]);
    expect(complete("acp", "proxy", "--")).toEqual(["--record", "--strict", "--quiet", "--help"]);
  });

  test("names values behind an equals sign, of settings, and of a command that was asked about", () => {
    expect(complete("sessions", "export", "--format", "=")).toEqual(["markdown", "json", "html"]);
    expect(complete("sessions", "export", "--format", "=", "h")).toEqual(["html"]);
    expect(complete("config", "set", "mode", "re")).toEqual(["read-only"]);
    expect(complete("help", "sessions", "ex")).toEqual(["export"]);
    expect(complete("init", "--provider", "ant")).toEqual(["anthropic"]);
  });

  test("names models that can be chosen", () => {
    expect(complete("run", "--model", "scr")).toEqual(["scripted/demo"]);
    expect(complete("config", "set", "model", "scr")).toEqual(["scripted/demo"]);
  });

  test("names files and folders, also with blanks in them, and commands behind --", () => {
    mkdirSync(join(folder, "a b"), { recursive: true });
    writeFileSync(join(folder, "a c.json"), "");
    const found = (...words: string[]) =>
      complete(...words, join(folder, "a")).map((path) => path.slice(folder.length));
    expect(found("run", "--spec").sort()).toEqual([
      "/a b",
      "/a c.json",
      "/agentao.bash",
      "/agentao.fish",
      "/agentao.zsh",
    ]);
    expect(found("run", "--cwd")).toEqual(["/a b"]);
    expect(complete("acp", "proxy", "--", "agenta")).toContain("agentao");
  });

  test("names MCP servers and agents, but none whose name a shell would run", () => {
    mkdirSync(join(folder, "home"), { recursive: true });
    const servers = { files: { command: "x" }, "$(touch hacked)": { command: "x" } };
    writeFileSync(join(folder, "home/mcp.json"), JSON.stringify({ mcpServers: servers }));
    writeFileSync(join(folder, "home/acp.json"), JSON.stringify({ servers: { reviewer: { command: "x" } } }));
    for (const word of ["remove", "test", "login", "trust"]) expect(complete("mcp", word, "f")).toEqual(["files"]);
    expect(complete("mcp", "test", "")).toEqual(["--json", "files"]);
    expect(complete("acp", "send", "r")).toEqual(["reviewer"]);
  });

  test("names the ids of sessions", () => {
    const sessions = join(folder, "home/sessions");
    mkdirSync(sessions, { recursive: true });
    const message = { role: "user", id: "m", parts: [{ type: "text", text: "hello" }] };
    const lines = [
      { at: 1, type: "session", version: 1, id: "sess_0123", cwd: "/x" },
      { at: 2, type: "prompt", turnId: "t", message },
    ];
    writeFileSync(join(sessions, "sess_0123.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(complete("sessions", "show", "sess_")).toEqual(["sess_0123"]);
  });
});

describe.skipIf(!has("fish"))("in fish", () => {
  const complete = (line: string): string[] => {
    const env = {
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
      AGENTAO_HOME: join(folder, "home"),
    };
    const said = runShell(
      "fish",
      ["--no-config", "-c", 'source $argv[1]; complete -C"$argv[2]"', scripts.fish ?? "", line],
      env,
    );
    return said.split("\n").flatMap((found) => (found === "" ? [] : [found.split("\t")[0] ?? ""]));
  };

  test.each([
    ["agentao sess", ["sessions"]],
    ["agentao help sessions ex", ["export"]],
    ["agentao sessions export --format ", ["html", "json", "markdown"]],
    ["agentao sessions export --format=h", ["--format=html"]],
    ["agentao config set mode re", ["read-only"]],
    ["agentao run --model scr", ["scripted/demo"]],
  ])("%s", (line, found) => {
    expect(complete(line).sort()).toEqual(found);
  });
});
