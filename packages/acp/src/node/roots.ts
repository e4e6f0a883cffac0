// The folders a session may touch, and where a path really leads. Compares real paths only, and refuses when unsure.
// It looks, but opens nothing: what happens between the look and the opening is `contained-file.ts`.

import { RpcError } from "../error/rpc-error.ts";
import { path } from "./builtin.ts";
import { readlink, realpath } from "./file-system.ts";

const { basename, dirname, isAbsolute, join, relative, resolve, sep } = path;

/** Absolute folders: the same for every session, or per session; undefined for a session the host does not know. */
export type Roots = readonly string[] | ((sessionId: string) => readonly string[] | undefined);

/** A path an agent named, and where it really leads. */
export type Place = {
  /** As named, without `.` and `..`; this is what error messages show. */
  readonly path: string;
  /** Every link followed. What does not exist yet keeps its name, below a parent that is real. */
  readonly real: string;
  /** The real roots it was found in. */
  readonly roots: readonly string[];
};

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/** Finds out where a path leads. Refuses a relative path, an unknown session, and whatever leads out of the roots. */
export async function locate(path: string, sessionId: string, roots: Roots): Promise<Place> {
  const asked = parseAbsolute(path, "path");
  const realRoots = await realRootsOf(rootsOf(roots, sessionId));
  const real = await toRealPath(asked);
  if (!isInside(real, realRoots)) throw outsideRoots(asked);
  return { path: asked, real, roots: realRoots };
}

export function rootsOf(roots: Roots, sessionId: string): readonly string[] {
  const found = typeof roots === "function" ? roots(sessionId) : roots;
  if (found === undefined) throw RpcError.resourceNotFound("This session is not known here.", { sessionId });
  return found;
}

/**
 * The path without `.` and `..`, which are taken out by name and not by following links: `/a/link/../b` is `/a/b`. Either
 * reading is safe, since the result is located afterwards; this one is what agents mean.
 */
export function parseAbsolute(path: string, field: string): string {
  if (path.includes("\0")) throw RpcError.invalidParams(`${field} must not contain a NUL character.`);
  if (!isAbsolute(path)) throw RpcError.invalidParams(`${field} must be an absolute path, not "${path}".`, { path });
  return resolve(path);
}

export function isInside(realPath: string, realRoots: readonly string[]): boolean {
  // Linux writes "(unreachable)/…" for what lies outside of our own root folder.
  if (!isAbsolute(realPath)) return false;
  return realRoots.some((root) => {
    const inner = relative(root, realPath);
    return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  });
}

/** The same words whether or not there is something at that path: what lies outside is not told. */
export function outsideRoots(path: string): RpcError {
  return RpcError.invalidParams(
    `${path} is outside of the folders of this session. Use a path inside of them, or ask the user to add its folder.`,
    { path },
  );
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** A root that is not there contains nothing, so it is left out. */
async function realRootsOf(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(
    roots.map((root) => {
      if (!isAbsolute(root)) throw RpcError.internal(`The host named a root that is not an absolute path: "${root}".`);
      return realpath(root).catch(() => undefined);
    }),
  );
  return real.filter((root) => root !== undefined);
}

async function toRealPath(path: string, linksFollowed = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isUnresolved(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await toRealPath(parent, linksFollowed);
  const target = await readlink(join(realParent, basename(path))).catch(() => undefined);
  if (target === undefined) return join(realParent, basename(path));
  if (linksFollowed >= MAX_LINKS) throw RpcError.invalidParams(`${path} is a chain of links without an end.`, { path });
  return toRealPath(resolve(realParent, target), linksFollowed + 1);
}

/** Part of the path is missing, unreadable or a link to nowhere; a shorter part of it may still be real. */
function isUnresolved(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "EPERM"].includes(errorCode(error) ?? "");
}
