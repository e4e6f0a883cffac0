import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createToolset } from "../tool/registry.ts";
import { type AnyTool, defineTool, type ToolRoom } from "../tool/tool.ts";
import { createToolSearch, SEARCH_TOOL, type ToolSearch } from "./tool-search.ts";
import { createToolIndex, toWords } from "./tool-search-index.ts";

const tool = (name: string, description = "", parameters: readonly string[] = []): AnyTool =>
  defineTool({
    name,
    description,
    inputSchema: { type: "object", properties: Object.fromEntries(parameters.map((one) => [one, { type: "string" }])) },
    parse: (input) => ({ input }),
    plan: () => ({ title: name, kind: "other", locations: [], effect: { type: "other", readOnly: false } }),
    run: async () => ({ told: [] }),
  });

const CATALOGUE = [
  tool("mcp_github_create_issue", "Open a new issue in a repository", ["owner", "repo", "title", "body"]),
  tool("mcp_github_list_issues", "List the issues of a repository", ["owner", "repo", "state"]),
  tool("mcp_github_merge_pull_request", "Merge a pull request", ["owner", "repo", "number"]),
  tool("mcp_mail_sendMessage", "Send an e-mail to somebody", ["to", "subject", "body"]),
  tool("mcp_mail_search", "Search e-mails by sender or text", ["query"]),
  tool("mcp_weather_forecast", "天气预报 for a city", ["city", "days"]),
  tool("mcp_db_query", "Run a read-only statement", ["sql"]),
];
const names = (tools: readonly AnyTool[]): string[] => tools.map(({ name }) => name);

const crowded = (tools: () => readonly AnyTool[] = () => CATALOGUE, servers?: () => readonly string[]): ToolSearch =>
  createToolSearch(tools, { windowTokens: () => 1_000 }, servers);

describe("the index", () => {
  test.each<[string, string]>([
    ["create an issue", "mcp_github_create_issue"],
    ["list issue", "mcp_github_list_issues"],
    ["send message", "mcp_mail_sendMessage"],
    ["sql", "mcp_db_query"],
    ["天气", "mcp_weather_forecast"],
    ["city", "mcp_weather_forecast"],
    ["MERGE", "mcp_github_merge_pull_request"],
    ["please use mcp_mail_search, for issues of a repository", "mcp_mail_search"],
  ])("finds for %j first %s", (query, name) => {
    expect(names(createToolIndex(CATALOGUE).search(query, 3))[0]).toBe(name);
  });

  test.each(["", "   ", "zebra", "\0", "((((", "a".repeat(10_000)])("finds nothing for %j", (query) => {
    expect(createToolIndex(CATALOGUE).search(query, 5)).toEqual([]);
  });

  test("finds nothing where there is nothing", () => {
    expect(createToolIndex([]).search("issue", 5)).toEqual([]);
  });

  test("takes names of prototypes for words", () => {
    const index = createToolIndex([tool("constructor"), tool("__proto__", "", ["hasOwnProperty"])]);
    expect(names(index.search("constructor", 5))).toEqual(["constructor"]);
    expect(names(index.search("own property", 5))).toEqual(["__proto__"]);
  });

  test.each<[string, readonly string[]]>([
    ["createIssue_fromURLs", ["create", "issue", "from", "url"]],
    ["Queries, classes & bus", ["query", "classe", "bus"]],
    ["列出文件 v2", ["列", "出", "文", "件", "v2"]],
  ])("reads %j as words", (text, words) => {
    expect(toWords(text)).toEqual(words);
  });

  test("answers at most as many as wished, each once, whatever is asked", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 9 }), (query, limit) => {
        const found = names(createToolIndex(CATALOGUE).search(query, limit));
        expect(found.length).toBeLessThanOrEqual(limit);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});

describe("a catalogue that fits", () => {
  test("is listed as it is", () => {
    const search = createToolSearch(() => CATALOGUE, { windowTokens: () => 200_000, share: 0.1 });
    expect(search.listed()).toBe(CATALOGUE);
  });

  test("may take as much as it is given", () => {
    const listed = (share: number): number =>
      createToolSearch(() => CATALOGUE, { windowTokens: () => 1_000, share }).listed().length;
    expect([listed(0.9), listed(0.05)]).toEqual([CATALOGUE.length, 1]);
  });

  test("of nothing has no search", () => {
    expect(crowded(() => []).listed()).toEqual([]);
  });
});

describe("a catalogue that is too large", () => {
  test("is listed as one tool, the same one while nothing changed", () => {
    const search = crowded();
    expect(names(search.listed())).toEqual([SEARCH_TOOL]);
    expect(search.listed()).toBe(search.listed());
  });

  test("gets what was found at the end, in the order it was found, and never twice", () => {
    const search = crowded();
    const [first] = search.listed();
    search.search("merge", 1);
    const second = search.listed();
    search.search("merge", 1);
    expect(search.listed()).toBe(second);
    search.search("create issue", 1);
    search.search("merge", 1);
    expect(names(search.listed())).toEqual([SEARCH_TOOL, "mcp_github_merge_pull_request", "mcp_github_create_issue"]);
    expect(search.listed().slice(0, 2)).toEqual(second);
    expect(search.listed()[0]).toBe(first);
  });

  test("drops what is no longer there, and lists it in its old place when it comes back", () => {
    let tools: readonly AnyTool[] = CATALOGUE;
    const search = crowded(() => tools);
    search.search("merge", 1);
    search.search("sql", 1);
    tools = CATALOGUE.filter(({ name }) => !name.includes("merge"));
    expect(names(search.listed())).toEqual([SEARCH_TOOL, "mcp_db_query"]);
    tools = [...CATALOGUE];
    expect(names(search.listed())).toEqual([SEARCH_TOOL, "mcp_github_merge_pull_request", "mcp_db_query"]);
  });

  test("is searched anew when other tools are there", () => {
    let tools: readonly AnyTool[] = CATALOGUE;
    const search = crowded(() => tools);
    expect(search.search("zebra", 1)).toEqual([]);
    tools = [...CATALOGUE, tool("mcp_zoo_feed_zebra", "x".repeat(500))];
    expect(names(search.search("zebra", 1))).toEqual(["mcp_zoo_feed_zebra"]);
  });

  test("lists what a session called before, and only what there is", () => {
    const search = crowded();
    search.reveal(["mcp_db_query", "read_file", "mcp_db_query", "__proto__"]);
    expect(names(search.listed())).toEqual([SEARCH_TOOL, "mcp_db_query"]);
  });

  test("follows the window of the model", () => {
    let window = 1_000;
    const search = createToolSearch(() => CATALOGUE, { windowTokens: () => window, share: 0.1 });
    expect(names(search.listed())).toEqual([SEARCH_TOOL]);
    window = 1_000_000;
    expect(search.listed()).toBe(CATALOGUE);
  });

  test("goes into a set of tools at any time", () => {
    const search = crowded();
    fc.assert(
      fc.property(fc.array(fc.constantFrom("issue", "mail", "body", "query", "city")), (queries) => {
        for (const query of queries) search.search(query, 3);
        createToolset(search.listed());
      }),
    );
  });
});

describe("search_tools", () => {
  const never = new AbortController().signal;
  const run = async (search: ToolSearch, input: Record<string, unknown>): Promise<string> => {
    const [first] = search.listed() as [AnyTool];
    const parsed = first.parse(input) as { input: never };
    const { told } = await first.run(parsed.input, {} as ToolRoom, never);
    return told.map((part) => (part.type === "text" ? part.text : "")).join();
  };

  test("tells names, descriptions and schemas, and lists what it told", async () => {
    const search = crowded();
    expect(await run(search, { query: "sql statement" })).toBe(
      'This tool can be called now:\n\nmcp_db_query\nRun a read-only statement\nInput: {"type":"object","properties":{"sql":{"type":"string"}}}',
    );
    expect(names(search.listed())).toEqual([SEARCH_TOOL, "mcp_db_query"]);
  });

  test("says so where nothing matches", async () => {
    expect(await run(crowded(), { query: "zebra" })).toBe("No tool matches. Try other words, or fewer.");
  });

  test("takes a limit as models write it", async () => {
    const search = crowded();
    await run(search, { q: "repository owner issue", limit: "2" });
    expect(search.listed()).toHaveLength(3);
    await run(search, { query: "mcp github mail weather db", max_results: 1_000 });
    expect(search.listed()).toHaveLength(1 + CATALOGUE.length);
  });

  test("bounds what one tool can say", async () => {
    const loud = tool(
      "mcp_loud",
      "word ".repeat(10_000),
      Array.from({ length: 2_000 }, (_, at) => `parameter${at}`),
    );
    expect(
      (
        await run(
          crowded(() => [loud]),
          { query: "loud" },
        )
      ).length,
    ).toBeLessThan(2_000);
  });

  test("names the servers, and is another tool only when they are others", () => {
    let servers = ["github", "mail"];
    const search = crowded(
      () => CATALOGUE,
      () => servers,
    );
    const [before] = search.listed();
    expect(before?.description).toContain("the connected MCP servers (github, mail)");
    servers = ["github", "mail"];
    expect(search.listed()[0]).toBe(before);
    servers = ["github"];
    expect(search.listed()[0]?.description).toContain("(github)");
  });
});
