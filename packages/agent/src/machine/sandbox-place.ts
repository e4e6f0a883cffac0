// Which places a sandbox treats in which way, by what is on the disk: mounts need real paths of things that are there.

import { lstatSync, readdirSync } from "node:fs";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import type { SandboxPolicy } from "./sandbox-policy.ts";

/** All paths are real. */
export interface SandboxPlaces {
  readonly cwd: string;
  readonly network: boolean;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Inside writable ones; may be written, but not moved away to make room for another. */
  readonly pinned: readonly string[];
  /** Inside writable ones; run code by themselves or say what we may do, and can only be read. */
  readonly guarded: readonly string[];
  readonly hidden: readonly HiddenPlace[];
  /** Inside hidden ones, and can be read. */
  readonly visible: readonly string[];
  /** For temporary files. */
  readonly temporary: string;
  readonly emptyFile: string;
  /** Where long outputs are. */
  readonly spill: string;
}

export interface HiddenPlace {
  readonly path: string;
  readonly type: "file" | "folder";
}

/** Below a writable folder. */
export const GUARDED = [
  ...[".agentao", ".claude", ".codex", ".cursor", ".devcontainer", ".gemini", ".husky", ".idea", ".vscode", ".zed"],
  ...[".envrc", ".mcp.json", ".gitmodules", ".hg/hgrc"],
];
export const GUARDED_IN_GIT = ["config", "config.worktree", "hooks", "commondir", "info/attributes"];
const MAX_MODULES = 100;
const MAX_MODULE_DEPTH = 4;

/** Below the home folder. */
const HIDDEN = [
  ...[".ssh", ".gnupg", ".password-store", ".local/share/keyrings", "Library/Keychains", ".vault-token"],
  ...[".aws", ".azure", ".config/gcloud", ".boto", ".s3cfg", ".oci", ".config/doctl", ".config/rclone", ".fly"],
  ...[".kube", ".docker", ".config/containers", ".terraform.d", ".config/op", ".config/heroku"],
  ...[".config/gh", ".config/hub", ".config/glab-cli", ".git-credentials", ".config/git/credentials"],
  ...[".netrc", "_netrc", ".npmrc", ".pypirc", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials"],
  ...[".m2/settings.xml", ".composer/auth.json", ".config/composer/auth.json", ".pgpass", ".my.cnf"],
  ...[".agentao", ".codex", ".gemini", ".claude", ".claude.json"],
  ...[".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware"],
  ...[".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".python_history", ".node_repl_history"],
];
const VISIBLE = [".agentao/skills", ".agentao/plugins"];

interface Around {
  readonly cwd: string;
  readonly home: string | undefined;
  /** The sandbox's own folder. */
  readonly own: string;
  readonly spill: string;
}

export async function findPlaces(policy: SandboxPolicy, around: Around): Promise<SandboxPlaces> {
  const home = around.home?.startsWith(sep) === true ? around.home : homedir();
  const [own, spill, cwd, readable, writable, hidden, visible] = await Promise.all([
    realpath(around.own),
    realpath(around.spill),
    realpath(around.cwd).catch(() => around.cwd),
    findAll(policy.readable ?? []),
    findAll(policy.writable),
    findHidden(home, policy.hidden),
    findAll(VISIBLE.map((name) => join(home, name))),
  ]);
  const folders = writable.filter(({ type }) => type === "folder").map(({ path }) => path);
  const [guarded, inGit] = await Promise.all([
    findAll(folders.flatMap((folder) => GUARDED.map((name) => join(folder, name)))),
    Promise.all(folders.map(findGit)),
  ]);
  return {
    cwd,
    network: policy.network,
    readable: readable.map(({ path }) => path),
    writable: writable.map(({ path }) => path),
    pinned: inGit.flatMap(({ pinned }) => pinned),
    guarded: [...guarded.map(({ path }) => path), ...inGit.flatMap((git) => git.guarded)],
    hidden,
    visible: visible.map(({ path }) => path),
    temporary: join(own, "tmp"),
    emptyFile: join(own, "empty"),
    spill,
  };
}

/** Credentials that are there, below the home folder. */
export function findHidden(home: string, more: readonly string[] = []): Promise<readonly HiddenPlace[]> {
  return findAll([...HIDDEN.map((name) => join(home, name)), ...more]);
}

/** What runs by itself in a repository. A folder for hooks is made where there is none, as `git init` would have done. */
async function findGit(folder: string) {
  const git = join(folder, ".git");
  const [found] = await findAll([git]);
  // Behind a link lies something else, which must not become writable for being called so.
  if (found === undefined || found.path !== git) return { pinned: [], guarded: [] };
  // In a worktree it is a file that says where the repository is: another one would bring its own settings.
  if (found.type === "file") return { pinned: [], guarded: [git] };
  const gits = gitFolders(git);
  await Promise.all(gits.map((one) => mkdir(join(one, "hooks")).catch(() => {})));
  const guarded = await findAll(gits.flatMap((one) => GUARDED_IN_GIT.map((name) => join(one, name))));
  return { pinned: gits, guarded: guarded.map(({ path }) => path) };
}

/** The repository, and those of its submodules, whose names may have slashes. */
export function gitFolders(git: string): readonly string[] {
  const found = [git];
  let level = [join(git, "modules")];
  for (let depth = 0; depth < MAX_MODULE_DEPTH && found.length < MAX_MODULES; depth++) {
    const below = level.flatMap(foldersIn);
    found.push(...below.filter(isRepository));
    level = below.flatMap((folder) => (isRepository(folder) ? [join(folder, "modules")] : [folder]));
  }
  return found.slice(0, MAX_MODULES);
}

function isRepository(folder: string): boolean {
  return isThere(join(folder, "HEAD"));
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Those that are there, as what they are in the end. Most are not: asked at once, that costs nothing. */
async function findAll(paths: readonly string[]): Promise<readonly HiddenPlace[]> {
  const found = await Promise.all(paths.filter(isThere).map(findOne));
  return found.filter((place) => place !== undefined);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

async function findOne(path: string): Promise<HiddenPlace | undefined> {
  try {
    const real = await realpath(path);
    const stats = await lstat(real);
    return { path: real, type: stats.isDirectory() ? "folder" : "file" };
  } catch {
    return undefined;
  }
}
