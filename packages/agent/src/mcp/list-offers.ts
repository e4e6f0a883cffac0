// Reads what a server offers. Rejects with a `Failure`.

import type { Link } from "./link.ts";
import { type ServerTool, toServerPrompts, toServerTools } from "./listed.ts";
import { isDeeperThan } from "./nesting.ts";
import type { ServerPrompt } from "./offer.ts";
import { readList } from "./read-list.ts";

export interface ListedTools {
  readonly tools: readonly ServerTool[];
  /** Names of those that cannot be used. */
  readonly tooDeep: readonly string[];
  /** After how many the list was cut, where it was too long. */
  readonly cutAfter: number | undefined;
}

/** No input is described by more; whoever nests further wants to see us fall. */
const MAX_SCHEMA_DEPTH = 64;

export async function listTools(link: Link, signal: AbortSignal): Promise<ListedTools> {
  const { items, isCut } = await readList("tools", (params) => link.request("tools/list", params, { signal }));
  const all = toServerTools(items);
  const tooDeep = all.filter(({ inputSchema }) => isDeeperThan(inputSchema, MAX_SCHEMA_DEPTH));
  const tools = tooDeep.length === 0 ? all : all.filter((tool) => !tooDeep.includes(tool));
  return { tools, tooDeep: tooDeep.map(({ name }) => name), cutAfter: isCut ? items.length : undefined };
}

export async function listPrompts(link: Link, server: string, signal: AbortSignal): Promise<readonly ServerPrompt[]> {
  const { items } = await readList("prompts", (params) => link.request("prompts/list", params, { signal }));
  return toServerPrompts(items, server);
}
