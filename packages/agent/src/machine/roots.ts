// The folders that may be written, and where a path really leads. It looks and opens nothing: what happens between the
// look and the opening is `contained-folder.ts`.

import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { MachineError } from "./machine.ts";
import { isInside } from "./path.ts";

/** A path that was named, and where it really leads. */
export interface Place {
  /** As named; this is what messages show. */
  readonly path: string;
  /** Every link followed. What does not exist yet keeps its name, below a parent that is real. */
  readonly real: string;
  /** The real roots. */
  readonly roots: readonly string[];
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/** Throws `outside` for what leads out of the roots. */
export async function locate(path: string, roots: readonly string[]): Promise<Place> {
  const real = await toRealPath(resolve(path));
  const place: Place = { path, real, roots: await realRoots(roots) };
  if (!isInside(real, place.roots)) throw outside(place);
  return place;
}

export function outside({ path, real, roots }: Place): MachineError {
  const inside = roots.map((root) => `'${root}'`).join(", ");
  return new MachineError(
    "outside",
    `PathPolicy: refused '${path}' — resolves to '${real}', outside project_root ${inside}`,
  );
}

/** A root that is not there contains nothing, so it is left out. */
async function realRoots(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return real.filter((root) => root !== undefined);
}

async function toRealPath(path: string, linksFollowed = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Part of the path is missing, unreadable or a link to nowhere; a shorter part of it may still be real.
    if (!["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(await toRealPath(parent, linksFollowed), basename(path));
  const target = await readlink(here).catch(() => undefined);
  if (target === undefined) return here;
  if (linksFollowed >= MAX_LINKS) throw new MachineError("failed", `${path} leads through links without an end`);
  return toRealPath(resolve(dirname(here), target), linksFollowed + 1);
}
