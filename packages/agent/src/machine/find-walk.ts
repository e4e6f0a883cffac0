// Walks a tree and answers the paths of the files that are wanted: without what ignore files and vendor folders leave
// out, without following links to folders, and never further than its caps.

import { type Dirent, readdir } from "node:fs";
import { sep } from "node:path";
import { orAborted } from "../abort/until-aborted.ts";
import type { HiddenPaths } from "./find-hidden.ts";
import type { IgnoreRules } from "./ignore-rules.ts";

export interface WalkOptions {
  /** Above the folder; what is in it and below adds its own. */
  readonly rules: IgnoreRules;
  /** Names of folders that are not entered. */
  readonly passed: ReadonlySet<string>;
  readonly hidden: HiddenPaths;
  /** Asked of a path relative to the folder, with "/". */
  wants(path: string): boolean;
  /** Links to files count as files; where they lead is for the caller to find out. */
  readonly links: "keep" | "drop";
  readonly maxDepth: number;
  readonly maxFiles: number;
}

export interface Walked {
  /** Absolute, in no order. */
  readonly paths: readonly string[];
  /** A cap was reached, so there may be more. */
  readonly isPartial: boolean;
}

const MAX_ENTRIES = 500_000;
const MAX_MS = 20_000;
/** Folders that are read at once: what waits here costs nothing when nobody wants it any more. */
const AT_ONCE = 16;

type Callback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** Throws the signal's reason. A folder that cannot be read has nothing in it. */
export async function walk(folder: string, options: WalkOptions, signal: AbortSignal): Promise<Walked> {
  const { fdir } = await import("fdir");
  const reader = createReader(folder, options, signal);
  // It changes some characters of where it starts, so it starts at nothing, and the reader knows where that is.
  const crawl = new fdir({ fs: reader.fs as never, maxDepth: options.maxDepth }).crawl(sep);
  await orAborted(crawl.withPromise(), signal);
  signal.throwIfAborted();
  return { paths: reader.paths.slice(0, options.maxFiles), isPartial: reader.isPartial() };
}

/** What the crawler sees of the disk: only folders that are entered. The files are taken on the way. */
function createReader(root: string, options: WalkOptions, signal: AbortSignal) {
  const rulesOf = new Map<string, IgnoreRules>();
  const base = root.endsWith(sep) ? root.slice(0, -1) : root;
  const until = performance.now() + MAX_MS;
  const paths: string[] = [];
  let entries = 0;
  let isPartial = false;

  const read = (inner: string, done: Callback): void => {
    const path = base + inner;
    if (signal.aborted || isPartial) {
      done(null, []);
      return;
    }
    readdir(path, { withFileTypes: true }, (_error, found = []) => {
      entries += found.length;
      isPartial ||= entries > MAX_ENTRIES || performance.now() > until;
      const above = rulesOf.get(path) ?? options.rules;
      rulesOf.delete(path);
      const rules = above.within(path, ignoreNames(found));
      if (rules instanceof Promise) rules.then((read) => done(null, look(path, found, read)));
      else done(null, look(path, found, rules));
    });
  };

  const look = (path: string, found: readonly Dirent[], rules: IgnoreRules): Dirent[] => {
    const inner = toSlashes(path.slice(base.length + 1));
    const entered: Dirent[] = [];
    for (const entry of found) {
      if (options.hidden.concerns(entry.name) && options.hidden.has(inner + entry.name)) continue;
      if (entry.isFile() || (entry.isSymbolicLink() && options.links === "keep")) {
        const whole = path + entry.name;
        if (options.wants(inner + entry.name) && !rules.ignores(toSlashes(whole))) paths.push(whole);
      } else if (entry.isDirectory() && isEntered(`${path}${entry.name}${sep}`, entry.name, rules)) {
        entered.push(entry);
      }
    }
    isPartial ||= paths.length > options.maxFiles;
    return entered;
  };

  const isEntered = (path: string, name: string, rules: IgnoreRules): boolean => {
    if (options.passed.has(name) || rules.ignores(toSlashes(path))) return false;
    if (rules !== options.rules) rulesOf.set(path, rules);
    return true;
  };

  return { fs: { readdir: paced(read) }, paths, isPartial: () => isPartial };
}

/** As the crawler calls it; no more than so many at once, the others in the order they came. */
function paced(read: (path: string, done: Callback) => void) {
  const waiting: { readonly path: string; readonly done: Callback }[] = [];
  let next = 0;
  let open = 0;
  let isGoing = false;

  // What is answered at once calls this again, by the thousand: the loop that is already running takes it.
  const go = (): void => {
    if (isGoing) return;
    isGoing = true;
    for (let one = waiting[next]; open < AT_ONCE && one !== undefined; one = waiting[next]) {
      next++;
      start(one.path, one.done);
    }
    if (next === waiting.length) next = waiting.length = 0;
    isGoing = false;
  };

  const start = (path: string, done: Callback): void => {
    open++;
    read(path, (error, entries) => {
      open--;
      done(error, entries);
      go();
    });
  };

  return (path: string, _options: object, done: Callback): void => {
    waiting.push({ path, done });
    go();
  };
}

const none: ReadonlySet<string> = new Set();

/** Of the names, those that rules may depend on. Nearly always there is none. */
function ignoreNames(found: readonly Dirent[]): ReadonlySet<string> {
  const isOne = ({ name }: Dirent): boolean => name.startsWith(".") && (name === ".git" || name.endsWith("ignore"));
  return found.some(isOne) ? new Set(found.filter(isOne).map(({ name }) => name)) : none;
}

function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
