// The files and folders of a project, for completion: what git knows where there is git, else what is there. Bounded.

import { execFile } from "node:child_process";
import { opendir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

const MAX_FILES = 200_000;
const MAX_BYTES = 32 * 1024 * 1024;
const GIT_MS = 3_000;
/** What is near comes first; nobody waits longer for what is deep down in a home folder. */
const WALK_MS = 2_000;
/** A list older than this is made again when it is next asked for. */
const STALE_MS = 10_000;
/** Nobody means what is in there, also where git was not told to ignore it. */
const LITTER = [".git", "node_modules", ".venv", "venv", "__pycache__", ".cache"];
const SKIPPED = new Set([...LITTER, "target", "dist", "build"]);

export interface ProjectFiles {
  /** What the list is relative to. */
  folder(): string;
  /** Relative, with slashes; folders end with one. The same list until there is a newer one. Never fails. */
  list(): Promise<readonly string[]>;
}

/** `cwd` is asked each time: another session may be in another folder. */
export function projectFiles(cwd: () => string, now: () => number = Date.now): ProjectFiles {
  let known: { readonly folder: string; readonly at: number; list: Promise<readonly string[]> } | undefined;
  return {
    folder: cwd,
    list() {
      const folder = cwd();
      if (known?.folder !== folder) known = { folder, at: now(), list: listAll(folder) };
      else if (now() - known.at > STALE_MS) {
        // Whoever types does not wait for the new one.
        const renewed = { folder, at: now(), list: known.list };
        void listAll(folder).then((list) => {
          renewed.list = Promise.resolve(list);
        });
        known = renewed;
      }
      return known.list;
    },
  };
}

async function listAll(cwd: string): Promise<readonly string[]> {
  const files = (await listByGit(cwd)) ?? (await walk(cwd));
  return [...foldersOf(files), ...files];
}

function listByGit(cwd: string): Promise<readonly string[] | undefined> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const options = { cwd, timeout: GIT_MS, maxBuffer: MAX_BYTES };
  return new Promise((resolve) => {
    execFile("git", [...args, ...LITTER.map((name) => `--exclude=${name}/`)], options, (error, stdout) => {
      const files = stdout.split("\0").filter((name) => name !== "");
      resolve(error === null ? [...new Set(files)].slice(0, MAX_FILES) : undefined);
    });
  });
}

async function walk(cwd: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [cwd];
  const until = performance.now() + WALK_MS;
  const isEnough = (): boolean => files.length >= MAX_FILES || performance.now() > until;
  for (let folder = folders.shift(); folder !== undefined && !isEnough(); folder = folders.shift()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (isEnough()) break;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!SKIPPED.has(entry.name)) folders.push(path);
        } else if (entry.isFile()) files.push(relative(cwd, path).split(sep).join("/"));
      }
    } catch {
      // A folder that cannot be read has nothing to offer.
    }
  }
  return files;
}

function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
