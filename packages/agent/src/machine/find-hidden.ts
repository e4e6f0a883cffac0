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
  /** Of a path that is relative in the same way. */
  has(path: string): boolean;
}

export const nothingHidden: HiddenPaths = { paths: new Set(), has: () => false };

/** `home` is the folder of the person whose credentials they are. */
export async function hiddenBelow(folder: string, home: string): Promise<HiddenPaths> {
  const real = await realpath(folder).catch(() => folder);
  const places = (await findHidden(home)).map(({ path }) => path);
  const below = places.filter((path) => path !== real && isInside(path, [real]));
  const paths = new Set(below.map((path) => relative(real, path).replaceAll(sep, "/")));
  if (basename(real) === ".agentao") paths.add("mcp-auth");
  return { paths, has: (path) => paths.has(path) || path === TOKENS || path.endsWith(`/${TOKENS}`) };
}
