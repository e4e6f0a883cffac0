// The temporary directory everything runs in: the program as it was built, so that a build meanwhile cannot disturb a
// run, the programs of the benchmark as plain JavaScript, homes and workspaces. Nothing is left of it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { AgentProcess } from "./agent-process.ts";
import { type ChatReport, REPORT_PATH } from "./chat-report.ts";
import { ROUNDS, roundFile, roundText, toScenario } from "./script.ts";

/**
 * The program as built with its own demo model; with the scenario file as its model; with the chat server as its
 * provider; the floor agent; the same without a server.
 */
export type Program = "agentao" | "scenario" | "chat" | "floor" | "inline";

export interface StartOptions {
  /** A home of its own unless one is given. */
  readonly home?: string | undefined;
  /** Where a CPU profile goes if there shall be one; `floor` and others get a name of their own. */
  readonly profiles?: string | undefined;
}

export class Stage {
  readonly root = mkdtempSync(join(tmpdir(), "bench-agent-"));
  readonly workspace = join(this.root, "workspace");
  #server: ChildProcess | undefined;
  #chatUrl = "";
  #homes = 0;

  /** Fills the directory and starts the chat server. Throws when the program has not been built. */
  async build(): Promise<void> {
    writeFileSync(join(this.root, "package.json"), '{ "type": "module" }\n');
    cpSync(fileURLToPath(new URL("../../packages/cli/dist", import.meta.url)), join(this.root, "agentao"), {
      recursive: true,
    });
    this.#bundle();
    writeFileSync(join(this.root, "scenario.json"), toScenario());
    mkdirSync(this.workspace);
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(join(this.workspace, roundFile(round)), roundText(round));
    }
    this.#server = spawn(process.execPath, [join(this.root, "chat-server.cjs")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    // It prints its address in one piece. Our end of its input closes with us, and then it ends.
    const [address] = await once(this.#server.stdout as NodeJS.ReadableStream, "data");
    this.#chatUrl = String(address).trim();
  }

  start(program: Program, { home = this.makeHome(), profiles }: StartOptions = {}): AgentProcess {
    const profile = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}/${program}`];
    return new AgentProcess([...profile, ...this.#command(program)], {
      cwd: this.workspace,
      env: { AGENTAO_HOME: home, ...this.#modelOf(program) },
    });
  }

  /** What the chat server was asked since the last report. */
  async report(): Promise<ChatReport> {
    return (await fetch(new URL(REPORT_PATH, this.#chatUrl))).json() as Promise<ChatReport>;
  }

  /** An MCP server over stdio that answers, or one that never does. */
  mcpServer(how: "answers" | "silent"): { readonly command: string; readonly args: readonly string[] } {
    return { command: process.execPath, args: [join(this.root, "mcp-server.cjs"), how] };
  }

  makeHome(): string {
    const home = join(this.root, `home-${this.#homes++}`);
    mkdirSync(home);
    return home;
  }

  copyHome(from: string): string {
    const home = this.makeHome();
    cpSync(from, home, { recursive: true });
    return home;
  }

  remove(): void {
    this.#server?.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  #command(program: Program): string[] {
    switch (program) {
      case "agentao":
      case "scenario":
      case "chat":
        return [join(this.root, "agentao/main.js"), "--acp", "--stdio"];
      case "floor":
      case "inline":
        return [join(this.root, `${program}-agent.cjs`)];
    }
  }

  /** Which model a program talks to, by its environment. */
  #modelOf(program: Program): Record<string, string> {
    switch (program) {
      case "agentao":
        return { AGENTAO_MODEL: "scripted/demo" };
      case "scenario":
        return { AGENTAO_MODEL: `scripted/${join(this.root, "scenario.json")}` };
      case "chat":
        return {
          LLM_PROVIDER: "OPENAI",
          OPENAI_API_KEY: "test",
          OPENAI_BASE_URL: this.#chatUrl.replace("/chat/completions", ""),
          OPENAI_MODEL: "text",
          NO_PROXY: "127.0.0.1",
        };
      case "floor":
      case "inline":
        return { CHAT_URL: this.#chatUrl };
    }
  }

  /** Only types are erased, and what the server imports is put into it. CommonJS: Node starts it soonest. */
  #bundle(): void {
    const path = (name: string): string => fileURLToPath(new URL(`./program/${name}.ts`, import.meta.url));
    buildSync({
      entryPoints: [path("chat-server"), path("floor-agent"), path("inline-agent"), path("mcp-server")],
      outdir: this.root,
      bundle: true,
      platform: "node",
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      target: "node20.19",
      logLevel: "warning",
    });
  }
}
