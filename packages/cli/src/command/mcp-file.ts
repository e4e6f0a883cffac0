// Changes one `mcp.json`: everything else in it stays as it was, and a file that cannot be read is never overwritten.

import { randomBytes } from "node:crypto";
import { open, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../settings-edit/make-folder.ts";

/** What keeps a command from doing what it was asked. Told without a trace; exit code 1. */
export class McpTrouble extends Error {
  override readonly name = "McpTrouble";
}

export type Entries = readonly (readonly [string, unknown])[];

const MAX_BYTES = 1024 * 1024;

/** The servers as they are written, in their order. Rejects with `McpTrouble`. */
export async function readEntries(path: string): Promise<Entries> {
  return (await readFile(path)).servers;
}

export interface NewFile {
  /** Of a file that is not there yet. */
  readonly mode: number;
}

/** Rejects with `McpTrouble`; then the file is as it was. */
export async function changeEntries(path: string, change: (entries: Entries) => Entries, made: NewFile): Promise<void> {
  const { root, servers } = await readFile(path);
  const changed = Object.fromEntries(change(servers));
  const isThere = root.some(([name]) => name === "mcpServers");
  const next: Entries = isThere
    ? root.map(([name, value]) => [name, name === "mcpServers" ? changed : value] as const)
    : [...root, ["mcpServers", changed]];
  try {
    await replace(path, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`, made);
  } catch (cause) {
    throw new McpTrouble(`${path} cannot be written: ${(cause as Error).message}`);
  }
}

async function readFile(path: string): Promise<{ readonly root: Entries; readonly servers: Entries }> {
  const text = (await readText(path)).replace(/^\uFEFF/, "");
  if (text.trim() === "") return { root: [], servers: [] };
  const root = parse(text);
  const servers = isRecord(root) && Object.hasOwn(root, "mcpServers") ? (root.mcpServers ?? {}) : {};
  if (!isRecord(root) || !isRecord(servers)) {
    throw new McpTrouble(`${path} is not of the form {"mcpServers": {"NAME": {…}}}. Mend it first.`);
  }
  return { root: Object.entries(root), servers: Object.entries(servers) };

  function parse(json: string): unknown {
    try {
      return JSON.parse(json);
    } catch {
      throw new McpTrouble(`${path} is not JSON. Mend it first; \`agentao mcp list\` says where.`);
    }
  }
}

async function readText(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("it is not a file");
    if (found.size > MAX_BYTES) throw new Error("it is larger than 1 MiB");
    await using handle = await open(path, "r");
    return await handle.readFile("utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return "";
    throw new McpTrouble(`${path} cannot be read: ${message}`);
  }
}

/** Whoever reads finds the old text or the new one. Where the file is a link, what it leads to is replaced. */
async function replace(path: string, text: string, made: NewFile): Promise<void> {
  await makeFolder(dirname(path));
  const target = await realpath(path).catch(() => path);
  const mode = (await stat(target).catch(() => undefined))?.mode;
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", mode === undefined ? made.mode : 0o600);
    try {
      await handle.writeFile(text);
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    await unlink(temporary).catch(() => {});
    throw cause;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
