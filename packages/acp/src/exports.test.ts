// Pins: what the entry points offer, and the numbers others rely on. A change here is a change for users.

import { expect, test } from "vitest";
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
