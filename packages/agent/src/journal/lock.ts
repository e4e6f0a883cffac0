// One live process per session: a file that names the process that has the session open. It holds within one machine;
// a process that dies leaves its lock behind, and the next one takes it over.

import { closeSync, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { fieldsOf } from "../json/fields.ts";

export interface Lock {
  /** Lets the next one in. Never throws; a lock that cannot be removed ends with the process. */
  release(): void;
}

type Locking = { readonly type: "locked"; readonly lock: Lock } | { readonly type: "held"; readonly pid: number };

/** Takes the lock at `path`, or says who holds it; this very process counts too. Throws what the file system throws. */
export function takeLock(path: string): Locking {
  const own: Holder = {
    pid: process.pid,
    startedAt: startOf(process.pid),
    token: eightDigits() + eightDigits(),
  };
  const other = take(path, own);
  if (other !== undefined) return { type: "held", pid: other.pid };
  return { type: "locked", lock: { release: () => release(path, own) } };
}

/** Of no secret: it need not be random to others, and a start does without loading what makes such numbers. */
function eightDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}

/** `startedAt` tells a process from a later one with the same number; `token` tells two locks of one process apart. */
interface Holder {
  readonly pid: number;
  readonly startedAt?: string | undefined;
  readonly token: string;
}

/** A lock whose text is not ours: half of it was lost with the power. No live process leaves one. */
const TORN: Holder = { pid: 0, token: "torn" };

/** Others may come and go between two looks; nobody keeps coming and going for so long. */
const MAX_LOOKS = 100;

function take(path: string, own: Holder): Holder | undefined {
  let found: Holder | undefined;
  for (let look = 0; look < MAX_LOOKS; look++) {
    if (create(path, own)) return undefined;
    found = readHolder(path);
    if (found === undefined) continue;
    if (isAlive(found)) return found;
    const rival = takeOver(path, found, own);
    if (rival === "gone") continue;
    return rival;
  }
  return found ?? TORN;
}

/**
 * Puts our name over a dead one. Only whoever holds the lock named after that dead lock may, so that of two who find it
 * at once the slower cannot remove the quicker one's name. Should that one die in between, its lock is taken over likewise.
 */
function takeOver(path: string, dead: Holder, own: Holder): Holder | undefined | "gone" {
  const claim = join(dirname(path), `.${basename(path)}.${dead.token}`);
  const rival = take(claim, own);
  if (rival !== undefined) return rival;
  try {
    if (readHolder(path)?.token !== dead.token) return "gone";
    renameSync(write(path, own), path);
    return undefined;
  } finally {
    remove(claim);
  }
}

function release(path: string, own: Holder): void {
  try {
    if (readHolder(path)?.token === own.token) remove(path);
  } catch {
    // The folder became read-only.
  }
}

/** The file appears with its text in it, or not at all. */
function create(path: string, own: Holder): boolean {
  const draft = write(path, own);
  try {
    linkSync(draft, path);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    return createWithoutLink(path, own, cause);
  } finally {
    remove(draft);
  }
}

/** Where there are no hard links (FAT, Android), the text follows the file by some microseconds. */
function createWithoutLink(path: string, own: Holder, cause: unknown): boolean {
  if (!["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(cause) ?? "")) throw cause;
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cause;
  }
  try {
    writeSync(file, JSON.stringify(own));
  } finally {
    closeSync(file);
  }
  return true;
}

function write(path: string, own: Holder): string {
  const draft = join(dirname(path), `.${basename(path)}.${own.token}.new`);
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  return draft;
}

function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw cause;
  }
  try {
    const { pid, startedAt, token } = fieldsOf(JSON.parse(text));
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return TORN;
    if (typeof token !== "string" || !/^[0-9a-f]{16}$/.test(token)) return TORN;
    return { pid, startedAt: typeof startedAt === "string" ? startedAt : undefined, token };
  } catch {
    return TORN;
  }
}

function isAlive(holder: Holder): boolean {
  if (holder === TORN) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (cause) {
    if (errorCode(cause) === "ESRCH") return false;
  }
  const startedAt = startOf(holder.pid);
  return startedAt === undefined || holder.startedAt === undefined || startedAt === holder.startedAt;
}

/** When a process was started, in clock ticks since which boot (proc(5), field 22). Nothing where there is no /proc. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, and may hold spaces and parentheses itself.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ended = state === "Z" || state === "X";
  return ended ? "ended" : `${fields[18]}@${readProc("/proc/sys/kernel/random/boot_id")?.trim()}`;
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") throw cause;
  }
}
