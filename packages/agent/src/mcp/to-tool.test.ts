import { describe, expect, test } from "vitest";
import type { ToolRoom } from "../tool/tool.ts";
import type { RequestOptions } from "./connection.ts";
import { Failure } from "./failure.ts";
import type { ServerTool } from "./listed.ts";
import { createRedaction } from "./secret.ts";
import type { ServerConfig, ServerTransport } from "./server.ts";
import { toTool } from "./to-tool.ts";

const transport: ServerTransport = { type: "stdio", command: "x", args: [], env: { TOKEN: "hunter2!" } };
const never = new AbortController().signal;

function made(tool: Partial<ServerTool>, { trust = false, answer = (_options: RequestOptions): unknown => ({}) } = {}) {
  const config: ServerConfig = { name: "github", source: "client", trust, startMs: 1, transport };
  const asked: unknown[] = [];
  const shown: unknown[] = [];
  const made = toTool(
    "mcp_github_x",
    { name: "create_issue", inputSchema: undefined, isReadOnly: false, ...tool },
    {
      redaction: createRedaction(transport),
      connection: {
        config,
        request: async (method, params, options) => {
          asked.push([method, params]);
          return answer(options);
        },
      },
    },
  );
  const room = { show: (content: unknown) => void shown.push(content) } as unknown as ToolRoom;
  return { tool: made, asked, shown, room };
}

describe("the plan of a call", () => {
  test.each([
    {
      trust: false,
      isReadOnly: true,
      title: "Lies",
      want: { title: "Github: create issue", kind: "other", readOnly: false },
    },
    {
      trust: true,
      isReadOnly: true,
      title: undefined,
      want: { title: "Github: create issue", kind: "read", readOnly: true },
    },
    {
      trust: true,
      isReadOnly: false,
      title: "New Issue",
      want: { title: "Github: New Issue", kind: "other", readOnly: false },
    },
  ])("believes only who is trusted: %o", ({ trust, isReadOnly, title, want }) => {
    const { tool, room } = made({ isReadOnly, title }, { trust });

    expect(tool.plan({} as never, room)).toEqual({
      title: want.title,
      kind: want.kind,
      locations: [],
      effect: { type: "other", readOnly: want.readOnly },
    });
  });

  test.each([
    { name: "searchCode", want: "search" },
    { name: "list_files", want: "read" },
    { name: "code-find", want: "search" },
  ])("knows a search by its name: $name", ({ name, want }) => {
    const { tool, room } = made({ name, isReadOnly: true }, { trust: true });

    expect(tool.plan({} as never, room).kind).toBe(want);
  });
});

test("asks for what is required, and for nothing else", () => {
  const { tool } = made({ inputSchema: { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] } });

  expect(tool.parse({})).toEqual({ problem: "a, b are required" });
  expect(tool.parse({ a: 1, b: null, more: true })).toEqual({ input: { a: 1, b: null, more: true } });
});

test("calls the tool by the names of its server", async () => {
  const { tool, asked, room } = made(
    { inputSchema: { type: "object", properties: { $top: { type: "number" } } } },
    { answer: () => ({ content: [{ type: "text", text: "ok, hunter2!" }] }) },
  );
  const parsed = tool.parse({ _top: 3 }) as { input: never };

  expect(await tool.run(parsed.input, room, never)).toEqual({
    failed: false,
    told: [{ type: "text", text: "ok, [redacted]" }],
  });
  expect(asked).toEqual([["tools/call", { name: "create_issue", arguments: { $top: 3 } }]]);
});

test("tells the model what failed, without secrets", async () => {
  const { tool, room } = made(
    {},
    {
      answer: () => {
        throw new Failure("refused", "bad hunter2!");
      },
    },
  );

  expect(await tool.run({} as never, room, never)).toEqual({
    failed: true,
    told: [{ type: "text", text: "Error: github: bad [redacted]" }],
  });
});

test("shows progress, step by step", async () => {
  const { tool, room, shown } = made(
    {},
    {
      answer: ({ onProgress }) => {
        onProgress?.({ progress: 1, total: 3, message: "Reading" });
        onProgress?.({ progress: 2, total: 3, message: "Reading" });
        onProgress?.({ progress: 3, message: "Writing hunter2!" });
        return {};
      },
    },
  );
  await tool.run({} as never, room, never);

  expect(shown).toEqual(
    ["Reading (1 of 3)", "Reading (2 of 3)", "Reading (2 of 3)\nWriting [redacted] (3)"].map((text) => [
      { type: "text", text },
    ]),
  );
});

test("has a description, whatever the server says", () => {
  expect(made({ description: "d".repeat(5_000) }).tool.description).toHaveLength(1_024);
  expect(made({}).tool.description).toBe('The tool "create_issue" of the MCP server "github".');
});
