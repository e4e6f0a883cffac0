// The files of a project, for completion: what git knows where there is git, else what is there. Bounded.

import { execFile } from "node:child_process";
import { opendir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

const MAX_FILES = 20_000;
const MAX_BYTES = 8 * 1024 * 1024;
const GIT_MS = 3_000;
/** A list older than this is made again when it is next asked for. */
const STALE_MS = 10_000;
const SKIPPED = new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "target", "dist", "build", ".cache"]);

export interface ProjectFiles {
  /** Relative, with slashes. Fresh enough; never fails. */
  list(): Promise<readonly string[]>;
}

export function projectFiles(cwd: string, now: () => number = Date.now): ProjectFiles {
  let made: Promise<readonly string[]> | undefined;
  let madeAt = 0;
  return {
    list() {
      if (made === undefined || now() - madeAt > STALE_MS) {
        madeAt = now();
        made = listByGit(cwd).then((files) => files ?? walk(cwd));
      }
      return made;
    },
  };
}

function listByGit(cwd: string): Promise<readonly string[] | undefined> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return new Promise((resolve) => {
    execFile("git", args, { cwd, timeout: GIT_MS, maxBuffer: MAX_BYTES }, (error, stdout) => {
      const files = stdout.split("\0").filter((name) => name !== "");
      resolve(error === null ? [...new Set(files)].slice(0, MAX_FILES) : undefined);
    });
  });
}

async function walk(cwd: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [cwd];
  for (let folder = folders.shift(); folder !== undefined && files.length < MAX_FILES; folder = folders.shift()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (files.length >= MAX_FILES) break;
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
