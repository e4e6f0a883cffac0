// What is in a folder that is being typed: `../`, `./`, `~/` or `/` lead out of what a project's list knows.

import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";

export function isWay(typed: string): boolean {
  return /^(?:~|\.{1,2})?\//.test(typed);
}

/** As it would be typed on, folders with a slash at their end, in order of their names. Never fails. */
export async function folderEntries(typed: string, cwd: string, max: number): Promise<readonly string[]> {
  const nameAt = typed.lastIndexOf("/") + 1;
  const [way, begun] = [typed.slice(0, nameAt), typed.slice(nameAt).toLowerCase()];
  const entries = await readdir(toFolder(way, cwd), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.toLowerCase().startsWith(begun) && (begun !== "" || !name.startsWith(".")))
    .map((entry) => `${way}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort()
    .slice(0, max);
}

function toFolder(way: string, cwd: string): string {
  return way.startsWith("~/") ? resolve(homedir(), way.slice(2)) : resolve(cwd, way);
}
