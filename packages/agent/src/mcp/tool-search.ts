// Large catalogues of tools: where listing them all would take too much of the model's window, one tool that finds the
// others stands for them. What was found stays listed, behind everything before it, so that requests keep their beginnings.

import { text } from "../message/message.ts";
import { defineInput, integer, string, withDefault } from "../tool/input.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";
import { createToolIndex, type ToolIndex } from "./tool-search-index.ts";

export interface ToolBudget {
  /** Of the model of the next request. */
  windowTokens(): number;
  /** How much of it the tools may take: a tenth where nothing is said. */
  readonly share?: number | undefined;
}

export interface ToolSearch {
  /** What the model is told about now. The same array while nothing changed. */
  listed(): readonly AnyTool[];
  /** The best first. What is found is listed from then on, as long as it is there. */
  search(query: string, limit: number): readonly AnyTool[];
  /** Lists tools by name: those a session that goes on has called before. */
  reveal(names: readonly string[]): void;
}

const DEFAULT_SHARE = 0.1;
export const SEARCH_TOOL = "search_tools";
const CHARS_PER_TOKEN = 4;
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;

export function createToolSearch(
  tools: () => readonly AnyTool[],
  budget: ToolBudget,
  /** Names of the servers that the tools are from, for the model. */
  servers: () => readonly string[] = () => [],
): ToolSearch {
  /** In the order they were found. */
  const revealed = new Set<string>();
  let index: { readonly of: readonly AnyTool[]; readonly index: ToolIndex; readonly tokens: number } | undefined;
  let last: { readonly of: readonly AnyTool[]; readonly key: string; readonly listed: readonly AnyTool[] } | undefined;
  let searchTool: { readonly servers: string; readonly tool: AnyTool } | undefined;

  const indexed = (): NonNullable<typeof index> => {
    const of = tools();
    if (index?.of !== of)
      index = { of, index: createToolIndex(of), tokens: of.reduce((sum, tool) => sum + sizeOf(tool), 0) };
    return index;
  };
  const isTooMuch = (): boolean => indexed().tokens > (budget.share ?? DEFAULT_SHARE) * budget.windowTokens();

  const toolFor = (names: string): AnyTool => {
    if (searchTool?.servers !== names) searchTool = { servers: names, tool: createSearchTool(names, search) };
    return searchTool.tool;
  };

  const search: ToolSearch["search"] = (query, limit) => {
    const found = indexed().index.search(query, Math.min(Math.max(1, limit), MAX_LIMIT));
    for (const { name } of found) revealed.add(name);
    return found;
  };

  return {
    listed() {
      const { of } = indexed();
      if (!isTooMuch()) return of;
      const names = servers().join(", ");
      const key = `${revealed.size} ${names}`;
      if (last?.of !== of || last.key !== key) {
        const byName = new Map(of.map((tool) => [tool.name, tool]));
        const found = [...revealed].flatMap((name) => byName.get(name) ?? []);
        last = { of, key, listed: [toolFor(names), ...found] };
      }
      return last.listed;
    },
    search,
    reveal(names) {
      // Their servers may still be connecting: whether they are there is asked when they are listed.
      for (const name of names) revealed.add(name);
    },
  };
}

/** Guessed from characters, as other sizes are. */
function sizeOf({ name, description, inputSchema }: AnyTool): number {
  return Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / CHARS_PER_TOKEN);
}

const input = defineInput({
  query: string("What the tool is needed for, in a few words, or its name", { aliases: ["q", "search", "keywords"] }),
  limit: withDefault(
    integer("How many tools at most", { minimum: 1, maximum: MAX_LIMIT, aliases: ["max_results", "count"] }),
    DEFAULT_LIMIT,
  ),
});

function createSearchTool(servers: string, search: ToolSearch["search"]): AnyTool {
  const of = servers === "" ? "connected MCP servers" : `the connected MCP servers (${servers})`;
  return defineTool<{ readonly query: string; readonly limit: number }>({
    name: SEARCH_TOOL,
    description:
      `Finds tools of ${of}. They are too many to be listed; search for what you need before you say that you cannot ` +
      "do something. Tools that were found can be called from then on.",
    inputSchema: input.schema,
    parse: input.parse,
    plan: ({ query }) => ({
      title: `Search tools for "${query.replace(/\s+/g, " ").slice(0, 80)}"`,
      kind: "search",
      locations: [],
      effect: { type: "session" },
    }),
    async run({ query, limit }) {
      const found = search(query, limit);
      if (found.length === 0) return { told: [text("No tool matches. Try other words, or fewer.")] };
      return { told: [text(describe(found))] };
    },
  });
}

const MAX_DESCRIPTION_CHARS = 1_500;
const MAX_SCHEMA_CHARS = 4_000;

function describe(found: readonly AnyTool[]): string {
  const tools = found.map(({ name, description, inputSchema }) => {
    const schema = JSON.stringify(inputSchema);
    const shown = schema.length > MAX_SCHEMA_CHARS ? "(long; it is listed with the tool from now on)" : schema;
    return `${name}\n${bounded(description)}\nInput: ${shown}`;
  });
  return `${found.length === 1 ? "This tool" : `These ${found.length} tools`} can be called now:\n\n${tools.join("\n\n")}`;
}

function bounded(description: string): string {
  if (description.length <= MAX_DESCRIPTION_CHARS) return description;
  return `${description.slice(0, MAX_DESCRIPTION_CHARS)}… (${description.length - MAX_DESCRIPTION_CHARS} more characters)`;
}
