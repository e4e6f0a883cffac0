// Pins: what the entry points offer, and the numbers others rely on. A change here is a change for users.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as agent from "./agent.ts";
import * as index from "./index.ts";
import * as node from "./node.ts";
import * as unstable from "./unstable.ts";

/** Without what is generated per definition: decoders, and questions such as `isToolKind`. */
const names = (entry: object) =>
  Object.keys(entry)
    .filter((name) => !/^(decode|is)[A-Z]/.test(name))
    .sort();

test("the main entry point offers these values, and a decoder per definition", () => {
  expect(names(index)).toEqual([
    "AcpAgent",
    "AcpClient",
    "AgentSide",
    "ClientSide",
    "Connection",
    "INVALID",
    "LocalError",
    "PromptTurn",
    "RequestContext",
    "RpcError",
    "Terminal",
    "agentText",
    "emptyTranscript",
    "errorCodes",
    "explain",
    "foldTranscript",
    "hasCapability",
    "memoryPair",
    "methods",
    "v1",
    "webStream",
  ]);
  expect(Object.keys(index)).toContain("decodeSessionNotification");
});

test("the Node entry point offers these values", () => {
  expect(names(node)).toEqual([
    "AgentProcess",
    "SpawnedClient",
    "createFileHandlers",
    "createTerminalHandlers",
    "nodeStream",
    "ownStdout",
    "serveStdio",
    "spawnAgent",
    "startAgentProcess",
    "stdioStream",
  ]);
});

test("the agent's entry point offers these values, as the others do", () => {
  expect(Object.keys(agent).sort()).toEqual([
    "AcpAgent",
    "AgentSide",
    "LocalError",
    "RequestContext",
    "RpcError",
    "Terminal",
    "errorCodes",
    "nodeStream",
    "ownStdout",
    "serveStdio",
    "stdioStream",
  ]);
  expect({ ...index, ...node }).toMatchObject({ ...agent });
});

test("the agent's entry point loads nothing that only clients need", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./agent.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    external: ["node:*"],
    write: false,
    minifyWhitespace: true,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const files = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const own = files.map(([path]) => path.replace(/.*src\//, ""));
  expect(
    own.filter((path) => /^(client|transcript)\/|^node\/(?!(builtin|node-stream|own-|serve-|text-))/.test(path)),
  ).toEqual([]);
  expect(own).toContain("agent/agent-side.ts");
  expect(outputFiles[0]?.text.match(/function decode\w*(Update|Chunk|SessionNotification)\b/g)).toBeNull();
});

test("the unstable entry point offers these values, and a decoder per definition", () => {
  expect(names(unstable)).toEqual([
    "AcpAgent",
    "AcpClient",
    "LocalError",
    "RpcError",
    "errorCodes",
    "memoryPair",
    "methods",
    "v1Unstable",
    "webStream",
  ]);
});

test("error codes are those of the protocol", () => {
  expect(index.errorCodes).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    requestCancelled: -32800,
    authRequired: -32000,
    resourceNotFound: -32002,
  });
});
