// A server made with the second generation of the official library, over stdio or over HTTP. Says its port on stdout.

import { createServer } from "node:http";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

function newServer() {
  const server = new McpServer({ name: "two-era", version: "1.0.0" });
  const inputSchema = fromJsonSchema({ type: "object", properties: { city: { type: "string" } }, required: ["city"] });
  server.registerTool(
    "weather",
    { description: "Tells the weather.", inputSchema, annotations: { readOnlyHint: true } },
    async ({ city }) => ({
      content: [{ type: "text", text: `Rain in ${city}` }],
      structuredContent: { city, rain: true },
    }),
  );
  server.registerTool(
    "structured",
    {
      description: "Only structure.",
      outputSchema: fromJsonSchema({ type: "object", properties: { rain: { type: "boolean" } } }),
    },
    async () => ({
      content: [],
      structuredContent: { rain: true },
    }),
  );
  return server;
}

const [way, legacy] = process.argv.slice(2);
if (way === "http") serveHttp();
else serveStdio(newServer);

function serveHttp() {
  const handler = createMcpHandler(newServer, legacy === "modern-only" ? { legacy: "reject" } : {});
  const http = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const url = `http://${incoming.headers.host}${incoming.url}`;
    const response = await handler.fetch(
      new Request(url, { method: incoming.method, headers: incoming.headers, ...(body && { body }) }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  });
  http.listen(0, "127.0.0.1", () => process.stdout.write(`${http.address().port}\n`));
}
