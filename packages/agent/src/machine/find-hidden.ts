// Places of credentials that a search does not enter when it starts above them. Whoever wants to look there names them,
// and is asked about that.

import { realpath } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { isInside } from "./path.ts";
import { findHidden } from "./sandbox-place.ts";

/** Tokens of MCP servers, wherever settings are. */
export const TOKENS = ".agentao/mcp-auth";

export interface HiddenPaths {
  /** Relative to where the search starts, with "/". */
  readonly paths: ReadonlySet<string>;
  /** Whether something of that name can be one of them: soon told, for names are many. */
  concerns(name: string): boolean;
  /** Of a path that is relative in the same way. */
  has(path: string): boolean;
}

export const nothingHidden: HiddenPaths = { paths: new Set(), concerns: () => false, has: () => false };

/** `home` is the folder of the person whose credentials they are. */
export async function hiddenBelow(folder: string, home: string): Promise<HiddenPaths> {
  const real = await realpath(folder).catch(() => folder);
  const isNear = isInside(home, [real]) || isInside(real, [home]);
  const places = isNear ? (await findHidden(home)).map(({ path }) => path) : [];
  const below = places.filter((path) => path !== real && isInside(path, [real]));
  const paths = new Set(below.map((path) => relative(real, path).replaceAll(sep, "/")));
  if (basename(real) === ".agentao") paths.add("mcp-auth");
  const names = new Set([...paths].map((path) => basename(path)).concat(basename(TOKENS)));
  return {
    paths,
    concerns: (name) => names.has(name),
    has: (path) => paths.has(path) || path === TOKENS || path.endsWith(`/${TOKENS}`),
  };
}
