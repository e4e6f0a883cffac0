// MCP servers: what those that do not answer cost a session that opens, and what a call costs beside the library's own.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createHub, type Hub } from "../../../packages/agent/src/mcp/hub.ts";
import type { AnyTool, ToolRoom } from "../../../packages/agent/src/tool/tool.ts";
import { median } from "../../harness/median.ts";
import type { Figures } from "../../harness/scenario.ts";
import { initialize, type Room, type Scenario } from "../scenario.ts";
import { STARTS } from "./start.ts";

export const mcpNew: Scenario = {
  id: "mcp-new",
  sides: ["ours"],
  repeat: 2,
  async run(_, room) {
    const silent = { name: "silent", ...room.stage.mcpServer("silent"), env: [] };
    const nowhere = { type: "http", name: "nowhere", url: await freeAddress(), headers: [] };
    let [plainMs, wallMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let start = 0; start < STARTS; start++) {
      plainMs = Math.min(plainMs, await openOnce(room, []));
      wallMs = Math.min(wallMs, await openOnce(room, [silent, nowhere]));
    }
    return { wallMs, moreMs: wallMs - plainMs };
  },
};

async function openOnce({ stage, profiles }: Room, mcpServers: readonly object[]): Promise<number> {
  const agent = stage.start("agentao", { profiles });
  try {
    await initialize(agent);
    const askedAt = performance.now();
    const { result, at } = await agent.request("session/new", { cwd: stage.workspace, mcpServers });
    if (typeof result.sessionId !== "string") throw new Error("session/new gave no id");
    return at - askedAt;
  } finally {
    await agent.end();
  }
}

/** Nobody listens there any more. */
async function freeAddress(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return `http://127.0.0.1:${port}/mcp`;
}

const BLOCKS = 40;
const CALLS = 50;
/** Until both are compiled. */
const WARM_BLOCKS = 10;

type Call = (text: string) => Promise<string>;

export const mcpCall: Scenario = {
  id: "mcp-call",
  sides: ["ours"],
  repeat: 2,
  async run(_, room) {
    const ours = await openOurs(room);
    const library = await openLibrary(room);
    try {
      return await compare(ours.call, library.call);
    } finally {
      await Promise.all([ours.close(), library.close()]);
    }
  },
};

async function compare(ours: Call, library: Call): Promise<Figures> {
  const times: { callMs: number; libraryMs: number }[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    // Who is first changes: what one leaves behind is the other's to collect.
    const libraryFirst = block % 2 === 0 ? await callMs(library) : undefined;
    const our = await callMs(ours);
    times.push({ callMs: our, libraryMs: libraryFirst ?? (await callMs(library)) });
  }
  const counted = times.slice(WARM_BLOCKS);
  return {
    callMs: median(counted.map((one) => one.callMs)),
    libraryMs: median(counted.map((one) => one.libraryMs)),
    aboveMs: median(counted.map((one) => one.callMs - one.libraryMs)),
  };
}

async function callMs(call: Call): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < CALLS; at++) {
    const text = `call ${at}`;
    const said = await call(text);
    if (said !== text) throw new Error(`"${text}" was answered with "${said}"`);
  }
  return (performance.now() - startedAt) / CALLS;
}

async function openOurs({ stage }: Room): Promise<{ call: Call; close(): Promise<void> }> {
  const { signal } = new AbortController();
  const hub: Hub = createHub(
    [
      {
        name: "bench",
        source: "client",
        trust: false,
        startMs: 20_000,
        transport: { type: "stdio", env: {}, ...stage.mcpServer("answers") },
      },
    ],
    {
      roots: [stage.workspace],
      cwd: stage.workspace,
      env: process.env,
      clientInfo: { name: "bench", version: "1" },
      notice: (message) => console.error(message),
      log: () => {},
      onChange: () => {},
    },
  );
  await hub.settled(20_000, signal);
  const [tool] = hub.tools();
  if (tool === undefined) throw new Error("the MCP server has no tool");
  return { call: (text) => runTool(tool, text, signal), close: () => hub.close() };
}

async function runTool(tool: AnyTool, text: string, signal: AbortSignal): Promise<string> {
  const parsed = tool.parse({ text });
  if ("problem" in parsed) throw new Error(parsed.problem);
  const { told } = await tool.run(parsed.input, { show: () => {} } as unknown as ToolRoom, signal);
  const [part] = told;
  return part?.type === "text" ? part.text : "";
}

async function openLibrary({ stage }: Room): Promise<{ call: Call; close(): Promise<void> }> {
  const { command, args } = stage.mcpServer("answers");
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args], cwd: stage.workspace }));
  await client.listTools();
  return {
    async call(text) {
      const { content } = await client.callTool({ name: "echo", arguments: { text } });
      const [part] = content;
      return part?.type === "text" ? part.text : "";
    },
    close: () => client.close(),
  };
}
