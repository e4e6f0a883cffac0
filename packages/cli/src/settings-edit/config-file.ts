// The files people write settings in: which there can be, and what is in them.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export type ConfigKind = "settings" | "permissions" | "mcp" | "sandbox" | "acp";

export interface ConfigFile {
  readonly kind: ConfigKind;
  /** A project's can only make things stricter. */
  readonly whose: "yours" | "project";
  readonly path: string;
}

export interface ConfigPlace {
  readonly cwd: string;
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const KINDS: readonly ConfigKind[] = ["settings", "permissions", "mcp", "sandbox", "acp"];
const MAX_BYTES = 1024 * 1024;

/** The person's first. */
export function configFiles({ cwd, home }: Pick<ConfigPlace, "cwd" | "home">): readonly ConfigFile[] {
  const project = join(cwd, ".agentao");
  const files = (folder: string, whose: ConfigFile["whose"]): ConfigFile[] =>
    KINDS.map((kind) => ({ kind, whose, path: join(folder, `${kind}.json`) }));
  // The home folder of a person is often opened as a project.
  return [...(home === undefined ? [] : files(home, "yours")), ...(home === project ? [] : files(project, "project"))];
}

export type ConfigText =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "missing" }
  | { readonly type: "unreadable"; readonly why: string };

export async function readConfig(path: string): Promise<ConfigText> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return { type: "unreadable", why: "it is not a file" };
    if (stats.size > MAX_BYTES) return { type: "unreadable", why: "it is larger than 1 MiB" };
    return { type: "text", text: (await readFile(path, "utf8")).replace(/^\uFEFF/, "") };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { type: "missing" } : { type: "unreadable", why: message };
  }
}
