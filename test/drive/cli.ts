// The built program as a child process: what is typed goes in, what comes out is collected.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { parseRecordedLine, type RecordedFrame, type RecordedLine } from "../../packages/cli/src/trace/recording.ts";
import { onCleanUp, temporaryFolder } from "../process/clean-up.ts";
import { PATIENCE_MS } from "../process/until.ts";
import { mainFile } from "../program/built.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Without its types, so that plain Node runs it: a compiler in every process costs more than the tests. */
export const script = (path: string, ...args: string[]): string[] => {
  const folder = join(root, "node_modules/.agentao-drive");
  const file = join(folder, `${basename(path, ".ts")}.mjs`);
  const { code } = transformSync(readFileSync(join(root, path), "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node20",
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
  return [process.execPath, file, ...args];
};
export const cli = (...args: string[]): string[] => [process.execPath, mainFile, ...args];
export const scriptedAgent = (...args: string[]): string[] => script("test/drive/program/scripted-agent.ts", ...args);
export const echoAgent = script("examples/echo-agent.ts");
export const node = (code: string): string[] => [process.execPath, "-e", code];
export const proxy = (...args: string[]): string[] => cli("acp", "proxy", ...args);
export const recordingFile = (): string => join(temporaryFolder(), "recording.jsonl");

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  stdout(): string;
  stderr(): string;
}

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export function start([program = "", ...args]: readonly string[], { cwd = root, env = {} }: RunOptions = {}): Running {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, AGENTAO_HOME: temporaryFolder(), ...env },
    stdio: "pipe",
  });
  onCleanUp(() => child.kill("SIGKILL"));
  const stdout: Buffer[] = [];
  let stderr = "";
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${args.join(" ")} does not end; stderr: ${stderr}`));
    }, PATIENCE_MS);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      const bytes = Buffer.concat(stdout);
      resolve({ code, signal, stdout: bytes.toString("utf8"), bytes, stderr });
    });
  });
  finished.catch(() => {});
  return { child, finished, stdout: () => Buffer.concat(stdout).toString("utf8"), stderr: () => stderr };
}

/** To its end, with this as its whole input. */
export function run(
  command: readonly string[],
  input: string | Uint8Array = "",
  options?: RunOptions,
): Promise<Finished> {
  const { child, finished } = start(command, options);
  child.stdin.end(input);
  return finished;
}

export function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

export const hello = request(0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
export const open = request(1, "session/new", { cwd: "/", mcpServers: [] });
export const prompt = (id: number, text: string): string =>
  request(id, "session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] });

export function recordingOf(path: string): RecordedLine[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => parseRecordedLine(line) ?? { ...JSON.parse(line), type: "start" });
}

export function framesOf(path: string): RecordedFrame[] {
  return recordingOf(path).filter((line) => line.type === "frame");
}
