// The text of a file that somebody wrote by hand: a file and no pipe, of a size that a person writes, without its mark.

import { readFile, stat } from "node:fs/promises";

const MAX_BYTES = 1024 * 1024;

export type ConfigText =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "missing" }
  | { readonly type: "unreadable"; readonly why: string };

export async function readConfig(path: string): Promise<ConfigText> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return { type: "unreadable", why: "it is not a file" };
    if (stats.size > MAX_BYTES) return { type: "unreadable", why: "it is larger than 1 MiB" };
    return { type: "text", text: (await readFile(path, "utf8")).replace(/^\uFEFF/, "") };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { type: "missing" } : { type: "unreadable", why: message };
  }
}
