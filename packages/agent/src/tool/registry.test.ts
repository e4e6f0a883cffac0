import { expect, test } from "vitest";
import { builtinTools } from "./builtin/index.ts";
import { createToolset } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

const toolset = createToolset(builtinTools);

test("pins the names and required inputs of the tools every session has", () => {
  const pinned = toolset.specs().map(({ name, inputSchema }) => {
    const { properties, required = [] } = inputSchema as { properties: object; required?: string[] };
    return [name, required, Object.keys(properties).filter((key) => !required.includes(key))];
  });

  expect(pinned).toEqual([
    ["read_file", ["file_path"], ["offset", "limit"]],
    ["write_file", ["file_path", "content"], ["append"]],
    ["replace", ["file_path"], ["old_text", "new_text", "replace_all", "edits"]],
    ["list_directory", [], ["directory_path", "recursive"]],
    ["glob", ["pattern"], ["directory"]],
    ["search_file_content", ["pattern"], ["file_pattern", "directory", "case_sensitive", "regex"]],
    ["run_shell_command", ["command"], ["description", "working_directory", "timeout", "is_background"]],
    ["check_background_command", [], ["id"]],
    ["stop_background_command", ["id"], []],
    ["todo_write", ["todos"], []],
    ["ask_user", ["question"], ["header", "options", "multiple", "allow_custom"]],
    ["web_fetch", ["url"], ["extract_text", "offset"]],
  ]);
});

test("gives the same specs each time", () => {
  expect(toolset.specs()).toBe(toolset.specs());
});

test("finds by the exact name only", () => {
  expect(toolset.find("read_file")?.name).toBe("read_file");
  expect(toolset.find("readFile")).toBeUndefined();
});

test.each([
  { name: "readFile", meant: "read_file" },
  { name: "Read-File", meant: "read_file" },
  { name: "READ FILE", meant: "read_file" },
  { name: "read_file_tool", meant: "read_file" },
  { name: "RunShellCommandTool", meant: "run_shell_command" },
  { name: "read_files", meant: undefined },
  { name: "", meant: undefined },
])("understands another spelling: $name", ({ name, meant }) => {
  expect(toolset.closest(name)?.name).toBe(meant);
});

test("does not choose between two that could be meant", () => {
  const named = (name: string): AnyTool => ({ ...(builtinTools[0] as AnyTool), name });
  const { closest, find } = createToolset([named("mcp_a_b"), named("mcp_ab")]);

  expect(closest("mcpAB")).toBeUndefined();
  expect(find("mcp_ab")?.name).toBe("mcp_ab");
});

test("refuses two tools of one name", () => {
  expect(() => createToolset([...builtinTools, ...builtinTools])).toThrow("There are two tools named read_file.");
});
