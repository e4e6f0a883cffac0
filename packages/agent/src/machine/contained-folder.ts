// Opens a folder inside the roots, and makes sure of it afterwards: a path is looked up before it is opened, and whoever
// swaps a folder for a link in between would lead us out. So what counts is where the opened folder is.

import { constants, existsSync } from "node:fs";
import { mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { MachineError } from "./machine.ts";
import { isInside } from "./path.ts";
import { NO_SURPRISE } from "./regular-file.ts";
import { outside, type Place } from "./roots.ts";

/** Names used `at` it stay in it, even if its path leads elsewhere by then. */
export interface ContainedFolder {
  at(name: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Linux tells where an open descriptor is, and lets files be named through it: no race is left. Elsewhere the path is
 * resolved again, which a swap at exactly the right moments could still deceive; Node offers nothing better there.
 */
const HAS_DESCRIPTOR_PATHS = process.platform === "linux" && existsSync("/proc/self/fd");

/** The folder of the place; it and its parents are made where they are missing, one by one, each one checked. */
export function openFolderOf(place: Place): Promise<ContainedFolder> {
  return openOrMake(dirname(place.real), place);
}

async function openOrMake(real: string, place: Place): Promise<ContainedFolder> {
  if (!isInside(real, place.roots)) throw outside(place);
  const found = await tryOpen(real, place);
  if (found !== undefined) return found;
  await using parent = await openOrMake(dirname(real), place);
  const path = parent.at(basename(real));
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  const made = await tryOpen(path, place);
  if (made === undefined) throw new MachineError("failed", `${place.path} changed while it was being opened`);
  return made;
}

async function tryOpen(path: string, place: Place): Promise<ContainedFolder | undefined> {
  try {
    return HAS_DESCRIPTOR_PATHS ? await openDescriptor(path, place) : await checkPath(path, place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function openDescriptor(path: string, place: Place): Promise<ContainedFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | NO_SURPRISE);
  const folder = `/proc/self/fd/${handle.fd}`;
  try {
    if (!isInside(await readlink(folder), place.roots)) throw outside(place);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { at: (name) => `${folder}/${name}`, [Symbol.asyncDispose]: () => handle.close() };
}

async function checkPath(path: string, place: Place): Promise<ContainedFolder> {
  const real = await realpath(path);
  if (!isInside(real, place.roots)) throw outside(place);
  return { at: (name) => join(real, name), [Symbol.asyncDispose]: async () => {} };
}
