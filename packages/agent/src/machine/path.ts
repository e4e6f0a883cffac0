// Paths by their letters alone: nothing is looked up here. Whoever acts on a path finds out where it really leads.

import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A path as a model or a person writes it, made absolute: relative to `cwd`, below `~`, or a `file:` address. */
export function toAbsolute(path: string, from: { readonly cwd: string; readonly home?: string | undefined }): string {
  if (from.home !== undefined && /^~(?:\/|$)/.test(path)) return resolve(from.home, path.slice(2));
  return resolve(from.cwd, fromFileUrl(path) ?? path);
}

/** For people: relative where it lies in `cwd`, else as it is. */
export function toShort(path: string, cwd: string): string {
  if (!isInside(path, [cwd])) return path;
  return relative(cwd, path) || ".";
}

export function isInside(path: string, folders: readonly string[]): boolean {
  // Linux writes "(unreachable)/…" for what lies outside of our own root folder.
  if (!isAbsolute(path)) return false;
  return folders.some((folder) => {
    const inner = relative(folder, path);
    return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  });
}

function fromFileUrl(path: string): string | undefined {
  if (!path.startsWith("file://")) return undefined;
  try {
    return fileURLToPath(path);
  } catch {
    return undefined;
  }
}
