// Changes one `mcp.json`: everything else in it stays as it was, and a file that cannot be read is never overwritten.

import { type ConfigText, readConfig } from "../io/config-text.ts";
import { isFields } from "../json/fields.ts";
import { changeFile } from "../settings-edit/change-file.ts";
import { parseTree } from "../settings-edit/edit-settings.ts";
import { setInJson } from "../settings-edit/json-edit.ts";
import { messageOf } from "../text/message-of.ts";

/** What keeps a command from doing what it was asked. Told without a trace; exit code 1. */
export class McpTrouble extends Error {
  override readonly name = "McpTrouble";
}

export type Entries = readonly (readonly [string, unknown])[];

/** The servers as they are written, in their order. Rejects with `McpTrouble`. */
export async function readEntries(path: string): Promise<Entries> {
  return parseEntries(path, await readConfig(path)).entries;
}

/** Rejects with `McpTrouble`; then the file is as it was. */
export async function addEntry(
  path: string,
  [name, entry]: readonly [string, unknown],
  access: "private" | "shared",
): Promise<void> {
  await change(path, access, (text, entries) => {
    if (entries.some(([one]) => one === name)) {
      throw new McpTrouble(`${path} has a server "${name}" already. Remove it first: agentao mcp remove ${name}`);
    }
    return setInJson(text, [SERVERS, name], entry);
  });
}

/** Rejects with `McpTrouble`; then the file is as it was. */
export async function removeEntry(path: string, name: string): Promise<void> {
  await change(path, "shared", (text) => setInJson(text, [SERVERS, name], undefined));
}

const SERVERS = "mcpServers";

async function change(
  path: string,
  access: "private" | "shared",
  edit: (text: string, entries: Entries) => string,
): Promise<void> {
  try {
    await changeFile(
      path,
      (read) => {
        const { text, entries } = parseEntries(path, read);
        return edit(text, entries);
      },
      { access },
    );
  } catch (cause) {
    if (cause instanceof McpTrouble) throw cause;
    throw new McpTrouble(`${path} cannot be written: ${messageOf(cause)}`);
  }
}

function parseEntries(path: string, read: ConfigText): { readonly text: string; readonly entries: Entries } {
  if (read.type === "unreadable") throw new McpTrouble(`${path} cannot be read: ${read.why}`);
  const text = read.type === "text" ? read.text : "";
  const tree = parseTree(text);
  if (typeof tree === "string") throw new McpTrouble(`${path} ${tree}. Mend it first.`);
  const servers = Object.hasOwn(tree, SERVERS) ? (tree[SERVERS] ?? {}) : {};
  if (!isFields(servers)) {
    throw new McpTrouble(`${path} is not of the form {"mcpServers": {"NAME": {…}}}. Mend it first.`);
  }
  return { text, entries: Object.entries(servers) };
}
