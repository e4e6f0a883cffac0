// What a confined command leaves behind that others would run outside of the sandbox. What is there before can be mounted
// read-only; what is not there cannot, so it is looked for afterwards. What no program has a good reason to make is removed.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { GUARDED, GUARDED_IN_GIT, gitFolders } from "./sandbox-place.ts";

/** They lead git to settings of another place. */
const REMOVED = new Set(["commondir", "config.worktree"]);
/** Settings of git by which it runs programs. */
const RUNS_CODE =
  /^\s*(?:fsmonitor|hookspath|sshcommand|gitproxy|askpass|pager|editor|command|clean|smudge|process|textconv|driver|helper|program|path|worktree)\s*=|^\s*\[\s*(?:alias|pager|include|includeif)\b/im;
const MAX_TOLD = 10;

/** Looks at the folders now, and answers what is to be asked when the command is gone. */
export function watchPlanted(folders: readonly string[]): () => Promise<readonly string[]> {
  const before = new Map(folders.flatMap(watched).map((path) => [path, stateOf(path)]));
  return async () => {
    const told: string[] = [];
    for (const folder of folders) {
      for (const path of watched(folder)) {
        const state = stateOf(path);
        if (state === undefined || state === before.get(path)) continue;
        told.push(...(await tell(path, folder, before)));
      }
    }
    return told.slice(0, MAX_TOLD);
  };
}

function watched(folder: string): readonly string[] {
  const git = join(folder, ".git");
  return [
    ...GUARDED.map((name) => join(folder, name)),
    git,
    // Behind a link lies something that is not ours to look at.
    ...(stateOf(git) === "there"
      ? gitFolders(git).flatMap((one) => GUARDED_IN_GIT.map((name) => join(one, name)))
      : []),
  ];
}

/** Nothing when nothing is there; of a link, where it leads. */
function stateOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isSymbolicLink() ? `link to ${readlinkSync(path)}` : stats && "there";
  } catch {
    return undefined;
  }
}

async function tell(path: string, folder: string, before: ReadonlyMap<string, string | undefined>): Promise<string[]> {
  const name = path.slice(folder.length).replace(/^\//, "");
  const inGit = name.startsWith(".git/") ? basename(name) : undefined;
  if (inGit !== undefined && REMOVED.has(inGit)) {
    await rm(path, { recursive: true, force: true }).catch(() => {});
    return [`this command created ${name}, which leads git to other settings; it was removed`];
  }
  // A new repository is no reason to worry, unless there is something in it that runs.
  const isHarmless = (name === ".git" && stateOf(path) === "there") || (inGit !== undefined && !runs(path, inGit));
  if (isHarmless) return [];
  const what = before.get(path) === undefined ? "created" : "replaced";
  return [`this command ${what} ${name}, by which programs can run code outside of the sandbox; look at it first`];
}

function runs(path: string, name: string): boolean {
  if (stateOf(path) !== "there") return true;
  try {
    if (name === "hooks") return readdirSync(path).some((hook) => !hook.endsWith(".sample"));
    return name === "config" && RUNS_CODE.test(readFileSync(path, "utf8"));
  } catch {
    return true;
  }
}
