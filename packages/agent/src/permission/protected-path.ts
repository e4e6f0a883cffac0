// Files in a workspace that run code by themselves or hold credentials. Writing one is asked about, wherever it lies.

import { resolvePath, rootOf } from "./path.ts";

/** Wherever they are in the path, even above the root. */
const GUARDED_FOLDERS = [
  ".git",
  ".hg",
  ".svn",
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
];

/** Below the root: a root may itself be a working tree inside one of them. */
const TOOL_FOLDERS = [
  ".agentao",
  ".claude",
  ".codex",
  ".cursor",
  ".devcontainer",
  ".gemini",
  ".husky",
  ".idea",
  ".zed",
];

const PAIRS = [
  [".config", /^(autostart|fish|gcloud|gh|git|nvim|systemd)$/],
  [".vscode", /^(tasks|settings|launch)\.json$/],
  [".cargo", /^(config|credentials)(\.toml)?$/],
  [".local", /^bin$/],
  [".yarn", /^(plugins|releases)$/],
  ["library", /^launch(agents|daemons)$/],
] as const;

const FILES = [
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|login|inputrc)$/,
  /^\.(zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|xinitrc|xprofile|xsession)$/,
  /^\.(vimrc|gvimrc|exrc|nvimrc|emacs|gdbinit|lldbinit|irbrc|psqlrc|screenrc|tmux\.conf|rprofile)$/,
  /^\.(netrc|npmrc|pypirc|pgpass|git-credentials|gitconfig|curlrc|wgetrc|yarnrc|yarnrc\.yml|mcp\.json|envrc)$/,
  /^\.env(\.(?!example$|sample$|template$|dist$|defaults$).+)?$/,
  /^_netrc$/,
  // With a file of this name a folder can pass for a repository, whose configuration runs programs.
  /^head$/,
];

/** `path` absolute. */
export function isProtected(path: string, roots: readonly string[]): boolean {
  const whole = segmentsOf(path);
  if (whole.some((segment) => GUARDED_FOLDERS.includes(segment))) return true;
  const root = rootOf(path, roots);
  const below = root === undefined ? whole : whole.slice(segmentsOf(root).length);
  if (below.some((segment) => TOOL_FOLDERS.includes(segment))) return true;
  if (
    below.some((segment, at) => PAIRS.some(([first, second]) => segment === first && second.test(below[at + 1] ?? "")))
  ) {
    return true;
  }
  return FILES.some((file) => file.test(whole.at(-1) ?? ""));
}

/** As the most careless file system would take them: case, final dots and invisible characters do not count. */
export function segmentsOf(path: string): string[] {
  const text = resolvePath(path) ?? path;
  return text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .toLowerCase()
    .split("/")
    .map((segment, at) => (at === 0 ? segment : segment.replace(/:.*$/, "").replace(/[. ]+$/, "")))
    .map((segment) => (/^git~\d$/.test(segment) ? ".git" : segment))
    .filter((segment) => segment !== "");
}
