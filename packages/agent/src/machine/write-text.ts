// Writes a text file inside the roots, all or nothing: a new file beside the old one takes its name when it is complete,
// with the mode, the owner and the encoding of the old one.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readFile, rename, unlink } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { openFolderOf } from "./contained-folder.ts";
import { detectEncoding } from "./detect-encoding.ts";
import { MachineError } from "./machine.ts";
import { MAX_TEXT_BYTES } from "./read-text.ts";
import { NO_SURPRISE, refuseUnlessFile } from "./regular-file.ts";
import { locate } from "./roots.ts";
import { encodeText } from "./text-encoding.ts";

/** The folder may not be written, the file is a mount or belongs to somebody else: then its content can still be. */
const CANNOT_REPLACE = ["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"];

export async function writeText(
  path: string,
  content: string,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const place = await locate(path, roots);
  signal.throwIfAborted();
  await using folder = await openFolderOf(place);
  const target = folder.at(basename(place.real));
  const old = await lookAt(target, path);
  if (old !== undefined) await refuseUnlessWritable(target, path);
  const bytes = old === undefined ? Buffer.from(content) : await encodeAs(target, old, content, path);
  try {
    await replace(target, folder.at(temporaryName()), { bytes, old, signal });
  } catch (error) {
    if (old === undefined || !CANNOT_REPLACE.includes(errorCode(error) ?? "")) throw error;
    // The same content may have another name, which may lie outside.
    if (old.nlink > 1) throw new MachineError("denied", `${path} has several names and cannot be replaced`);
    await overwrite(target, bytes);
  }
}

/** In the encoding the file has; what is no text is replaced by UTF-8. */
async function encodeAs(target: string, old: Stats, content: string, path: string): Promise<Buffer> {
  if (old.size > MAX_TEXT_BYTES) return Buffer.from(content);
  // Who may write but not read a file cannot know its encoding.
  const bytes = await readFile(target).catch(() => undefined);
  const encoding = (bytes && detectEncoding(bytes, { isWhole: true })) ?? "utf-8";
  const encoded = encodeText(content, encoding);
  if ("bytes" in encoded) return encoded.bytes;
  throw new MachineError(
    "failed",
    `${path} is written in ${encoding}, which has no "${encoded.impossible}". Use another character, or convert the file to UTF-8 first`,
  );
}

/** What is there now, once it is clear that it may be written. */
async function lookAt(target: string, path: string): Promise<Stats | undefined> {
  const stats = await lstat(target).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) throw new MachineError("failed", `${path} changed while it was being opened`);
  refuseUnlessFile(stats, path);
  // A file without any write bit is meant to stay as it is, also where our rights would let us.
  if ((stats.mode & 0o222) === 0) throw readOnly(path);
  return stats;
}

/** Replacing a file needs no right to write it, so that right is asked for: by opening, the only answer to trust. */
async function refuseUnlessWritable(target: string, path: string): Promise<void> {
  try {
    const handle = await open(target, constants.O_WRONLY | NO_SURPRISE);
    await handle.close();
  } catch (error) {
    // A running program cannot be opened for writing, yet it can be replaced.
    if (errorCode(error) === "ETXTBSY") return;
    if (["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw readOnly(path);
    throw error;
  }
}

async function replace(
  target: string,
  temporary: string,
  { bytes, old, signal }: { bytes: Buffer; old: Stats | undefined; signal: AbortSignal },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_SURPRISE;
  const handle = await open(temporary, flags, old === undefined ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(bytes, { signal });
      if (old !== undefined) await adopt(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function adopt(handle: FileHandle, old: Stats): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== old.uid || made.gid !== old.gid) await handle.chown(old.uid, old.gid);
  await handle.chmod(old.mode & 0o7777);
}

/** Not atomic, hence not interrupted: shortened last, so that a failure loses as little as possible. */
async function overwrite(target: string, bytes: Buffer): Promise<void> {
  await using handle = await open(target, constants.O_WRONLY | NO_SURPRISE);
  await handle.writeFile(bytes);
  await handle.truncate(bytes.length);
  await handle.sync();
}

function temporaryName(): string {
  return `.agentao-${randomBytes(8).toString("hex")}.tmp`;
}

function readOnly(path: string): MachineError {
  return new MachineError("denied", `${path} is read-only`);
}
