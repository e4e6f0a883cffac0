// The MCP servers a client names, to what the runtime calls one. Frames were checked for their shapes before; what a schema
// does not say, and what its untagged union lets through, is checked here.

import { RpcError } from "@agentao/acp";
import { type Fields, isFields } from "../json/fields.ts";
import type { ServerConfig, ServerTransport } from "../mcp/server.ts";
import { bounded } from "./to-rpc-error.ts";

const START_MS = 60_000;

/** Of two with one name the later counts. Throws invalid params, with the place of what is wrong. */
export function toMcpServers(servers: unknown, method = "session/new"): readonly ServerConfig[] {
  if (servers === undefined || servers === null) return [];
  const at = `${method}.mcpServers`;
  if (!Array.isArray(servers)) throw invalid(`${at} must be a JSON array`);
  const byName = new Map<string, ServerConfig>();
  for (const [index, entry] of servers.entries()) {
    const server = toMcpServer(entry, `${at}[${index}]`);
    byName.set(server.name, server);
  }
  return [...byName.values()];
}

function toMcpServer(entry: unknown, at: string): ServerConfig {
  const fields = toFields(entry, at);
  return {
    name: toText(fields.name, `${at}.name`),
    source: "client",
    trust: false,
    startMs: START_MS,
    transport: toTransport(fields, at),
  };
}

function toTransport(fields: Fields, at: string): ServerTransport {
  const { type = "stdio" } = fields;
  switch (type) {
    case null:
    case "stdio":
      return {
        type: "stdio",
        command: toText(fields.command, `${at}.command`),
        args: toTexts(fields.args, `${at}.args`),
        env: toPairs(fields.env, `${at}.env`),
      };
    case "sse":
    case "http":
      return { type, url: toText(fields.url, `${at}.url`), headers: toPairs(fields.headers, `${at}.headers`) };
    default:
      throw invalid(
        `${at}.type must be one of 'stdio', 'sse', 'http', got '${typeof type === "string" ? bounded(type, 100) : typeof type}'`,
      );
  }
}

function toFields(value: unknown, at: string): Fields {
  if (!isFields(value)) throw invalid(`${at} must be a JSON object`);
  return value;
}

function toText(value: unknown, at: string): string {
  if (typeof value !== "string" || value.trim() === "") throw invalid(`${at} must be a non-empty string`);
  return value;
}

function toTexts(value: unknown, at: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  if (!isTexts) throw invalid(`${at} must be an array of strings`);
  return value;
}

/** Lists of names and values, where a name may come twice: the later counts. */
function toPairs(value: unknown, at: string): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value)) throw invalid(`${at} must be a JSON array`);
  return Object.fromEntries(
    value.map((pair, index) => {
      const fields = toFields(pair, `${at}[${index}]`);
      return [toWord(fields.name, `${at}[${index}].name`), toWord(fields.value, `${at}[${index}].value`)];
    }),
  );
}

function toWord(value: unknown, at: string): string {
  if (typeof value !== "string") throw invalid(`${at} must be a string`);
  return value;
}

function invalid(problem: string): RpcError {
  return RpcError.invalidParams(`Invalid params: ${problem}`);
}
