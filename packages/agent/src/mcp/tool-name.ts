// Names for the tools of servers: `mcp_<server>_<tool>`, in letters and lengths every provider takes, one for each tool.

import { createHash } from "node:crypto";

export const MAX_NAME_CHARS = 64;
const HASH_CHARS = 8;

/** For each server, in the order given, a name no other of them has. */
export function serverSlugs(servers: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return servers.map((server) => {
    const slug = toSlug(server);
    const free = used.has(slug) ? `${slug}_${hashOf(server).slice(0, 4)}` : slug;
    used.add(free);
    return free;
  });
}

export interface NamedTool {
  readonly server: string;
  readonly slug: string;
  readonly tool: string;
}

/** For each tool, in the order given, a name no other of them has. The first of a name has it plain. */
export function nameTools(tools: readonly NamedTool[]): readonly string[] {
  const used = new Set<string>();
  return tools.map(({ server, slug, tool }) => {
    const plain = `mcp_${slug}_${toSlug(tool)}`;
    const isPlain = plain.length <= MAX_NAME_CHARS && !used.has(plain);
    const name = isPlain ? plain : withHash(plain, hashOf(`${server}\0${tool}`), used);
    used.add(name);
    return name;
  });
}

function withHash(plain: string, hash: string, used: ReadonlySet<string>): string {
  for (let chars = HASH_CHARS; ; chars += 2) {
    const name = `${plain.slice(0, MAX_NAME_CHARS - chars - 1)}_${hash.slice(0, chars)}`;
    if (!used.has(name) || chars >= 48) return name;
  }
}

function toSlug(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_") || "_";
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
