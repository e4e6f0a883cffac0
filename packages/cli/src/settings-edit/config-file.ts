// The files people write settings in: which there can be, and what is in them.

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

/** The person's first. */
export function configFiles({ cwd, home }: Pick<ConfigPlace, "cwd" | "home">): readonly ConfigFile[] {
  const project = join(cwd, ".agentao");
  const files = (folder: string, whose: ConfigFile["whose"]): ConfigFile[] =>
    KINDS.map((kind) => ({ kind, whose, path: join(folder, `${kind}.json`) }));
  // The home folder of a person is often opened as a project.
  return [...(home === undefined ? [] : files(home, "yours")), ...(home === project ? [] : files(project, "project"))];
}
