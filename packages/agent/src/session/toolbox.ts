// The tools of a session: the built-in ones, an embedder's, and those of MCP servers, which come and go.

import { createToolSearch, type ToolSearch } from "../mcp/tool-search.ts";
import type { Model } from "../model/model.ts";
import { builtinTools } from "../tool/builtin/index.ts";
import { runShellCommand, runShellCommandInSandbox } from "../tool/builtin/run-shell-command.ts";
import { createWebSearch } from "../tool/builtin/web-search.ts";
import { createToolset, type Toolset } from "../tool/registry.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { SessionParts } from "./parts.ts";
import type { Servers } from "./servers.ts";

export interface ToolboxRoom {
  readonly parts: Pick<SessionParts, "tools" | "builtinTools" | "sandbox" | "search" | "history">;
  readonly servers: Servers | undefined;
  model(): Model;
}

/** Answers with the same set while nothing changed. */
export function createToolbox({ parts, servers, model }: ToolboxRoom): () => Toolset {
  const { tools, sandbox, search: engine } = parts;
  const further = engine === undefined ? tools : [createWebSearch(engine), ...tools];
  const own = mergeTools(further, { confined: sandbox?.type === "active", names: parts.builtinTools });
  const names = new Set(own.map(({ name }) => name));
  const search = servers && searchIn(servers, parts, model);
  let theirs: readonly AnyTool[] = [];
  let toolset = createToolset(own);
  return () => {
    const listed = search?.listed() ?? theirs;
    if (listed !== theirs) {
      theirs = listed;
      toolset = createToolset([...own, ...theirs.filter(({ name }) => !names.has(name))]);
    }
    return toolset;
  };
}

/** Lists the tools of servers, or finds them where they are too many. What was called before is listed. */
function searchIn(servers: Servers, { history }: ToolboxRoom["parts"], model: () => Model): ToolSearch {
  const window = { windowTokens: () => model().info.windowTokens };
  const search = createToolSearch(
    () => servers.tools(),
    window,
    () => servers.reports().map(({ name }) => name),
  );
  search.reveal(history.messages.flatMap((message) => (message.role === "result" ? [message.name] : [])));
  return search;
}

interface BuiltinChoice {
  readonly confined: boolean;
  /** All where nothing is said. */
  readonly names: readonly string[] | undefined;
}

/** An embedder's tool stands for the built-in one of its name. */
function mergeTools(own: readonly AnyTool[], { confined, names }: BuiltinChoice): AnyTool[] {
  const taken = new Set(own.map(({ name }) => name));
  const builtin = builtinTools
    .filter(({ name }) => !taken.has(name) && (names?.includes(name) ?? true))
    .map((tool) => (confined && tool === runShellCommand ? runShellCommandInSandbox : tool));
  return [...builtin, ...own];
}
