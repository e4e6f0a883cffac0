// Ready-made handlers for `fs/read_text_file` and `fs/write_text_file`: text files inside the roots of a session, by real
// path. They never touch what lies outside, never return part of a character or a line, and never put file content into
// an error.

import type { Stats } from "node:fs";
import { RpcError } from "../error/rpc-error.ts";
import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "../v1/generated/type.ts";
import { path } from "./builtin.ts";
import {
  createFile,
  defaultOpenCheck,
  type Folder,
  type OpenCheck,
  openFile,
  openFolder,
  refuseUnlessFile,
} from "./contained-file.ts";
import { constants, lstat, open, rename, unlink } from "./file-system.ts";
import { type HandlerContext, throwIfCancelled } from "./handler-context.ts";
import { chunksOf, type LineRange, selectLines, toLineRange } from "./line-range.ts";
import { errorCode, locate, type Place, type Roots } from "./roots.ts";

const { basename } = path;

export type FileOptions = {
  readonly roots: Roots;
  /** The longest text one read returns. Default 16 MiB. */
  readonly maxReadBytes?: number | undefined;
  /** Text an editor holds but has not saved: asked before the disk, for the path as named and then for the real one. */
  readonly overlay?: { read(path: string): string | undefined } | undefined;
  /** Only for tests of what other systems do: Linux checks descriptors, the rest compares identities. */
  readonly openCheck?: OpenCheck | undefined;
};

export type FileHandlers = {
  /** Rejects with an `RpcError` only. `line` counts from 1 (0 is taken as 1); a range past the end is an empty text. */
  readTextFile(params: ReadTextFileRequest, context?: HandlerContext): Promise<ReadTextFileResponse>;
  /** Rejects with an `RpcError` only. Old content stays whole until the new one replaces it. */
  writeTextFile(params: WriteTextFileRequest, context?: HandlerContext): Promise<WriteTextFileResponse>;
};

const DEFAULT_MAX_READ_BYTES = 16 * 1024 * 1024;

/** The folder may not be written, the file is a mount or belongs to somebody else: then its content can still be. */
const CANNOT_REPLACE = ["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"];

export function createFileHandlers(options: FileOptions): FileHandlers {
  const maxReadBytes = options.maxReadBytes ?? DEFAULT_MAX_READ_BYTES;
  const check = options.openCheck ?? defaultOpenCheck();

  return {
    async readTextFile(params, context) {
      return attempt("read", params.path, context, async () => {
        const range = toLineRange(params);
        const place = await locate(params.path, params.sessionId, options.roots);
        const unsaved = options.overlay?.read(place.path) ?? options.overlay?.read(place.real);
        const content =
          unsaved === undefined
            ? await readFromDisk(place, range, { maxReadBytes, check, context })
            : await selectLines([Buffer.from(unsaved)], range, { path: place.path, maxBytes: maxReadBytes });
        return { content };
      });
    },

    async writeTextFile(params, context) {
      return attempt("write", params.path, context, async () => {
        const place = await locate(params.path, params.sessionId, options.roots);
        throwIfCancelled(context);
        await using folder = await openFolder(place, check);
        const target: Target = { place, folder, name: basename(place.real), check };
        const old = await statWritable(target);
        await replace(target, old, params.content, context).catch((error: unknown) => {
          if (old === undefined || !CANNOT_REPLACE.includes(errorCode(error) ?? "")) throw error;
          return overwrite(target, params.content);
        });
        return {};
      });
    },
  };
}

type Target = { readonly place: Place; readonly folder: Folder; readonly name: string; readonly check: OpenCheck };

/** The one place where a failure gets the form in which it travels. */
async function attempt<T>(
  verb: "read" | "write",
  path: string,
  context: HandlerContext | undefined,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (context?.signal.aborted) throw RpcError.cancelled();
    throw toRpcError(error, verb, path);
  }
}

async function readFromDisk(
  place: Place,
  range: LineRange,
  options: { maxReadBytes: number; check: OpenCheck; context: HandlerContext | undefined },
): Promise<string> {
  await using handle = await openFile(place, constants.O_RDONLY, options.check);
  return await selectLines(chunksOf(handle, options.context?.signal), range, {
    path: place.path,
    maxBytes: options.maxReadBytes,
    totalBytes: (await handle.stat()).size,
  });
}

/** What is there now, if anything, once it is clear that it may be written. */
async function statWritable({ place, folder, name }: Target): Promise<Stats | undefined> {
  const path = folder.at(name);
  const stats = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  refuseUnlessFile(stats, place);
  // A file without any write bit is meant to stay as it is, also where our rights would let us.
  if ((stats.mode & 0o222) === 0) throw readOnly(place.path);
  await refuseUnlessWritable(path, place);
  return stats;
}

/** Replacing a file needs no right to write it, so that right is asked for: by opening, the only answer to trust. */
async function refuseUnlessWritable(path: string, place: Place): Promise<void> {
  try {
    const handle = await open(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    await handle.close();
  } catch (error) {
    // A running program cannot be opened for writing, yet it can be replaced.
    if (errorCode(error) === "ETXTBSY") return;
    if (["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw readOnly(place.path);
    throw error;
  }
}

/** All or nothing: a new file beside the old one takes its name when it is complete, with mode and owner of the old. */
async function replace(
  { place, folder, name, check }: Target,
  old: Stats | undefined,
  content: string,
  context: HandlerContext | undefined,
): Promise<void> {
  const temporary = folder.at(`.acp-${crypto.randomUUID()}.tmp`);
  const handle = await createFile(temporary, old === undefined ? 0o666 : 0o600, place, check);
  try {
    try {
      await handle.writeFile(content, context === undefined ? {} : { signal: context.signal });
      if (old !== undefined) {
        const made = await handle.stat();
        if (made.uid !== old.uid || made.gid !== old.gid) await handle.chown(old.uid, old.gid);
        await handle.chmod(old.mode & 0o777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    throwIfCancelled(context);
    await rename(temporary, folder.at(name));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Not atomic, hence not interrupted: shortened last, so that a failure loses as little as possible. */
async function overwrite({ place, check }: Target, content: string): Promise<void> {
  await using handle = await openFile(place, constants.O_WRONLY, check);
  await handle.writeFile(content);
  await handle.truncate(Buffer.byteLength(content));
  await handle.sync();
}

function readOnly(path: string): RpcError {
  return RpcError.internal(`${path} is read-only. Ask the user to allow writing it, or write another file.`, { path });
}

function toRpcError(error: unknown, verb: "read" | "write", path: string): RpcError {
  const code = errorCode(error);
  switch (code) {
    case "ENOENT":
      return RpcError.resourceNotFound(`${path} does not exist. Check the path, or list its folder.`, { path });
    case "ENOTDIR":
      return RpcError.invalidParams(`A parent of ${path} is a file, not a folder. Check the path.`, { path });
    case "EISDIR":
      return RpcError.invalidParams(`${path} is a folder; name a file in it.`, { path });
    case "ENAMETOOLONG":
      return RpcError.invalidParams(`${path} is too long a path. Use a shorter one.`, { path });
    case "ELOOP":
      return RpcError.invalidParams(`${path} leads through links without an end. Check the links.`, { path });
    case "EACCES":
    case "EPERM":
      return failed(`No permission to ${verb} ${path}. Ask the user to grant it.`, path, error);
    case "EROFS":
      return failed(`${path} is on a read-only file system. Write somewhere else.`, path, error);
    case "ENOSPC":
    case "EDQUOT":
      return failed(`No space left to write ${path}. Ask the user to free some.`, path, error);
    case "EFBIG":
      return failed(`${path} would become larger than is allowed here. Write less.`, path, error);
    default:
      return failed(
        `Could not ${verb} ${path}${code === undefined ? "" : ` (${code})`}. Retry, or ask the user.`,
        path,
        error,
      );
  }
}

function failed(message: string, path: string, cause: unknown): RpcError {
  const code = errorCode(cause);
  return RpcError.internal(message, code === undefined ? { path } : { path, code }, { cause });
}
