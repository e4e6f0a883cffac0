// The configured MCP servers of a folder. What reads them is loaded only where there is something to read.

import { access } from "node:fs/promises";
import { join } from "node:path";
import type { ConfiguredServers } from "@agentao/agent/program";

interface ServerPlace {
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createServerLoader({ home, env }: ServerPlace): (cwd: string) => Promise<ConfiguredServers> {
  const loading = async () => {
    const { createConsent, loadServers } = await import("@agentao/agent/mcp");
    return { consent: createConsent(home), loadServers };
  };
  let loaded: ReturnType<typeof loading> | undefined;
  return async (cwd) => {
    const files = [...(home === undefined ? [] : [join(home, "mcp.json")]), join(cwd, ".agentao", "mcp.json")];
    const found = await Promise.all(files.map(isThere));
    if (!found.includes(true)) return { servers: [], notices: [] };
    loaded ??= loading();
    const { consent, loadServers } = await loaded;
    return loadServers({ cwd, home, env }, consent);
  };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
