// What the tests of MCP servers share: configurations, a room that remembers, calls without ceremony.

import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { CallContent } from "../../packages/agent/src/event/event.ts";
import type { Hub, HubRoom } from "../../packages/agent/src/mcp/hub.ts";
import type { ServerConfig, ServerTransport } from "../../packages/agent/src/mcp/server.ts";
import type { AnyTool, ToolOutcome, ToolRoom } from "../../packages/agent/src/tool/tool.ts";

export const never = new AbortController().signal;

const program = (name: string): string => fileURLToPath(new URL(`program/${name}`, import.meta.url));

export interface RememberingRoom extends HubRoom {
  readonly notices: string[];
  readonly logged: string[];
  changes: number;
}

export function roomFor(more: Partial<HubRoom> = {}): RememberingRoom {
  const [notices, logged]: [string[], string[]] = [[], []];
  const room: RememberingRoom = {
    roots: [tmpdir()],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OPENAI_API_KEY: "sk-our-own-key" },
    clientInfo: { name: "agentao", version: "1.2.3" },
    notices,
    logged,
    changes: 0,
    notice: (message) => void notices.push(message),
    log: (message) => void logged.push(message),
    onChange: () => void room.changes++,
    ...more,
  };
  return room;
}

export function server(name: string, transport: ServerTransport, more: Partial<ServerConfig> = {}): ServerConfig {
  return { name, source: "client", trust: false, startMs: 20_000, transport, ...more };
}

export function nodeServer(name: string, args: readonly string[], more: Partial<ServerConfig> = {}): ServerConfig {
  return server(name, { type: "stdio", command: process.execPath, args, env: {} }, more);
}

export function oddServer(name: string, flags: readonly string[] = [], more: Partial<ServerConfig> = {}): ServerConfig {
  const env = { ODD_TOKEN: "odd-secret-token" };
  const args = [program("odd-server.mjs"), ...flags];
  return server(name, { type: "stdio", command: process.execPath, args, env }, more);
}

export const twoEraServer = program("two-era-server.mjs");
export const everything = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

export interface CalledTool {
  readonly tool: AnyTool;
  readonly shown: (readonly CallContent[])[];
  call(
    input: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<ToolOutcome & { readonly text: string }>;
}

/** Throws when it is not there: that is a mistake of the test. */
export function toolOf(hub: Hub, name: string): CalledTool {
  const tool = hub.tools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no ${name} among ${hub.tools().map((one) => one.name)}`);
  const shown: (readonly CallContent[])[] = [];
  const room = { show: (content: readonly CallContent[]) => void shown.push(content) } as unknown as ToolRoom;
  return {
    tool,
    shown,
    async call(input, signal = never) {
      const parsed = tool.parse(input);
      if ("problem" in parsed) throw new Error(parsed.problem);
      const outcome = await tool.run(parsed.input, room, signal);
      return {
        ...outcome,
        text: outcome.told.map((part) => (part.type === "text" ? part.text : part.type)).join("\n"),
      };
    },
  };
}
