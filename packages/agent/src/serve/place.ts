// Where a session is to be, as a client says it.

import type { Place } from "../session/runtime.ts";
import { refuseLikeCredentials } from "./credential.ts";
import { toMcpServers } from "./to-mcp-server.ts";

export interface PlaceParams {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly unknown[] | undefined;
}

export function toPlace(params: PlaceParams, method: string): Place {
  refuseLikeCredentials(params);
  const servers = toMcpServers(params.mcpServers ?? [], method);
  return { cwd: params.cwd, additionalRoots: params.additionalDirectories, servers };
}
