// The least an MCP server over stdio can be: one tool that says what it was given. Or one that never says anything.

import { createInterface } from "node:readline";

const isSilent = process.argv[2] === "silent";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (isSilent || id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`);
});

// biome-ignore lint/suspicious/noExplicitAny: it believes what it is told
function answer(method: string, params: any): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "bench", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] };
    case "tools/call":
      return { content: [{ type: "text", text: params.arguments.text }] };
    default:
      return {};
  }
}
