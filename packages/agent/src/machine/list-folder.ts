// What is in a folder. Sizes and targets are looked up only for the entries that are returned.

import type { Dirent } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { type FolderEntry, type FolderListing, MachineError } from "./machine.ts";

export async function listFolder(path: string, limit: number, signal: AbortSignal): Promise<FolderListing> {
  const found = await readFolder(path);
  signal.throwIfAborted();
  // A link may lead to a folder; which ones do is worth knowing before they are sorted.
  const entries = await Promise.all(
    found.map((entry) => (entry.isSymbolicLink() ? follow(path, entry) : toEntry(entry))),
  );
  entries.sort(foldersFirst);
  const shown = entries.slice(0, limit);
  return { entries: await Promise.all(shown.map((entry) => withSize(path, entry))), total: entries.length };
}

async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") throw new MachineError("not-found", `Folder ${path} does not exist`, { cause });
    if (errorCode(cause) === "ENOTDIR") throw new MachineError("not-a-folder", `${path} is not a folder`, { cause });
    throw cause;
  }
}

async function follow(folder: string, entry: Dirent): Promise<FolderEntry> {
  const path = join(folder, entry.name);
  const link = await readlink(path).catch(() => "?");
  const target = await stat(path).catch(() => undefined);
  return target === undefined ? { name: entry.name, type: "other", link } : { ...toEntry(entry, target), link };
}

function toEntry(entry: Dirent, as: { isFile(): boolean; isDirectory(): boolean } = entry): FolderEntry {
  const type = as.isDirectory() ? "folder" : as.isFile() ? "file" : "other";
  return { name: entry.name, type };
}

/** By code units, so that the order is the same everywhere. */
function foldersFirst(a: FolderEntry, b: FolderEntry): number {
  if ((a.type === "folder") !== (b.type === "folder")) return a.type === "folder" ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

async function withSize(folder: string, entry: FolderEntry): Promise<FolderEntry> {
  if (entry.type !== "file") return entry;
  const bytes = await stat(join(folder, entry.name)).then(
    (stats) => stats.size,
    () => undefined,
  );
  return { ...entry, bytes };
}
