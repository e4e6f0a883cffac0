// What the tools of our own runtime are called, so that a rule with a misspelt one is not believed to protect anything.

import { nearest } from "../text/nearest.ts";
import type { PermissionRule } from "./permission-rule.ts";

/** Also those of the system this one follows: rules that were written for it are not mistakes. */
const TOOLS: readonly string[] = [
  "read_file",
  "write_file",
  "replace",
  "list_directory",
  "glob",
  "search_file_content",
  "run_shell_command",
  "check_background_command",
  "stop_background_command",
  "todo_write",
  "ask_user",
  "web_fetch",
  "web_search",
  "save_memory",
  "activate_skill",
  "check_background_agent",
  "cancel_background_agent",
];

/** What other agents tell of a tool instead of its name. */
const KINDS: readonly string[] = ["read", "edit", "delete", "move", "search", "execute", "fetch"];

/** Why a rule would never be about a tool of our own runtime, if it surely would not. Tools of MCP servers are not known. */
export function findStranger(rules: readonly PermissionRule[]): string | undefined {
  for (const { name, tool, toolName } of rules) {
    if (TOOLS.some((one) => tool.test(one))) continue;
    if (KINDS.includes(toolName))
      return `${name}: "${toolName}" is a kind of tool, which only --agent knows; name the tool`;
    const close = nearest(toolName, TOOLS);
    if (close !== undefined) return `${name}: there is no tool "${toolName}"; did you mean ${close}?`;
  }
  return undefined;
}
