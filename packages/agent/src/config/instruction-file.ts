// Where instructions are looked for: the person's folder, and from the repository down to the working directory.

import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { findRepository } from "./branch.ts";

export interface InstructionSource {
  readonly cwd: string;
  /** The session's folders; `cwd` may be among them. */
  readonly roots: readonly string[];
  /** The person's `.agentao` folder. */
  readonly home?: string | undefined;
}

const PROJECT_FILES = ["AGENTAO.md", "AGENTS.md", "CLAUDE.md"];
const PERSONAL_FILES = ["AGENTAO.md", "AGENTS.md"];

export type Owner = "person" | "project";

export interface InstructionFile {
  readonly path: string;
  /** Imports must stay inside of it. */
  readonly realm: string;
  /** Whether the file itself may be a link to somewhere else: the person's own may. */
  readonly mayLeave: boolean;
  /** Whose it is. */
  readonly owner: Owner;
  readonly label: (path: string) => string;
}

/** Nearest first; in one folder, ours first. What comes first is dropped last, and told last. */
export async function listInstructionFiles({ cwd, roots, home }: InstructionSource): Promise<InstructionFile[]> {
  const project = (await findRepository(cwd)) ?? cwd;
  const labelProject = (path: string): string => (isInside(path, project) ? slashed(relative(project, path)) : path);
  const folders = new Set([...between(cwd, project), ...roots]);
  const files = [...folders].flatMap((folder) => {
    const realm = isInside(folder, project) ? project : folder;
    return PROJECT_FILES.map((name) => ({
      path: join(folder, name),
      realm,
      mayLeave: false,
      owner: "project" as const,
      label: labelProject,
    }));
  });
  if (home === undefined) return files;
  const labelPersonal = (path: string): string => `~/.agentao/${slashed(relative(home, path))}`;
  const own = PERSONAL_FILES.map((name) => ({
    path: join(home, name),
    realm: home,
    mayLeave: true,
    owner: "person" as const,
    label: labelPersonal,
  }));
  return [...files, ...own];
}

function between(folder: string, root: string): string[] {
  return folder === root || dirname(folder) === folder ? [folder] : [folder, ...between(dirname(folder), root)];
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
