// Opens files and folders inside the roots, and makes sure of it afterwards: a path is looked up before it is opened, and
// whoever can swap a folder for a link in between would lead us out. So what counts is where the opened thing is.

import type { FileHandle } from "node:fs/promises";
import { RpcError } from "../error/rpc-error.ts";
import { fs, path } from "./builtin.ts";
import { constants, lstat, mkdir, open, readlink, realpath, unlink } from "./file-system.ts";
import { errorCode, isInside, outsideRoots, type Place } from "./roots.ts";

const { basename, dirname, join } = path;

/**
 * How to learn where an opened file is.
 * - `descriptor`: Linux tells the path of an open descriptor, and folders are used through theirs. No race is left.
 * - `identity`: the path is resolved again and must lead to the very same file. A swap at exactly the right moments could
 *   still deceive it; other systems offer Node nothing better.
 */
export type OpenCheck = "descriptor" | "identity";

export function defaultOpenCheck(): OpenCheck {
  return process.platform === "linux" && fs().existsSync("/proc/self/fd") ? "descriptor" : "identity";
}

/** A folder inside the roots. Names used `at` it stay in it on Linux, even if its path leads elsewhere by then. */
export type Folder = {
  at(name: string): string;
  [Symbol.asyncDispose](): Promise<void>;
};

// Windows knows neither flag. Without O_NONBLOCK the opening of a FIFO waits for its other end.
const NO_SURPRISE = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens an existing regular file; the caller closes it. Refuses anything else before opening it: devices may act on that. */
export async function openFile(place: Place, flags: number, check: OpenCheck): Promise<FileHandle> {
  refuseUnlessFile(await lstat(place.real), place);
  const handle = await open(place.real, flags | NO_SURPRISE);
  try {
    refuseUnlessFile(await handle.stat(), place);
    await refuseUnlessInside(handle, place.real, place, check);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Creates a file that must not exist yet, in a folder that was opened. The caller closes it. */
export async function createFile(path: string, mode: number, place: Place, check: OpenCheck): Promise<FileHandle> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_SURPRISE, mode);
  try {
    await refuseUnlessInside(handle, path, place, check);
    return handle;
  } catch (error) {
    await handle.close();
    await unlink(path).catch(() => {});
    throw error;
  }
}

/** Opens the folder of the place, and makes it and its parents where they are missing: one by one, each one checked. */
export function openFolder(place: Place, check: OpenCheck): Promise<Folder> {
  return openOrMake(dirname(place.real), place, check);
}

export function refuseUnlessFile(
  stats: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean },
  { path }: Place,
): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw RpcError.invalidParams(`${path} is a folder; name a file in it.`, { path });
  if (stats.isSymbolicLink()) throw changedMeanwhile(path);
  throw RpcError.invalidParams(`${path} is a pipe, a socket or a device; only regular files can be used.`, { path });
}

async function openOrMake(real: string, place: Place, check: OpenCheck): Promise<Folder> {
  if (!isInside(real, place.roots)) throw outsideRoots(place.path);
  const found = await tryOpenFolder(real, real, place, check);
  if (found !== undefined) return found;
  await using parent = await openOrMake(dirname(real), place, check);
  const path = parent.at(basename(real));
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  const made = await tryOpenFolder(path, real, place, check);
  if (made === undefined) throw changedMeanwhile(place.path);
  return made;
}

/** `path` is how to reach the folder, `real` where it ought to be. Undefined when there is none. */
async function tryOpenFolder(path: string, real: string, place: Place, check: OpenCheck): Promise<Folder | undefined> {
  try {
    return check === "descriptor" ? await openByDescriptor(path, place) : await openByPath(real, place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function openByDescriptor(path: string, place: Place): Promise<Folder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | NO_SURPRISE);
  try {
    await refuseUnlessInside(handle, path, place, "descriptor");
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function openByPath(path: string, place: Place): Promise<Folder> {
  const real = await realpath(path);
  if (!isInside(real, place.roots)) throw outsideRoots(place.path);
  return { at: (name) => join(real, name), [Symbol.asyncDispose]: async () => {} };
}

async function refuseUnlessInside(handle: FileHandle, path: string, place: Place, check: OpenCheck): Promise<void> {
  const where = check === "descriptor" ? await readlink(`/proc/self/fd/${handle.fd}`) : await identify(handle, path);
  if (where === undefined) throw changedMeanwhile(place.path);
  if (!isInside(where, place.roots)) throw outsideRoots(place.path);
}

/** The real path of the opened file, if `path` still leads to it. */
async function identify(handle: FileHandle, path: string): Promise<string | undefined> {
  const opened = await handle.stat({ bigint: true });
  const real = await realpath(path);
  const found = await lstat(real, { bigint: true });
  const isSame = opened.dev === found.dev && opened.ino === found.ino && (await realpath(path)) === real;
  return isSame ? real : undefined;
}

function changedMeanwhile(path: string): RpcError {
  return RpcError.invalidParams(`${path} changed while it was being opened. Look at it again, then retry.`, { path });
}
