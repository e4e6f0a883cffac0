// What "always" can mean for edits of ordinary files in the workspace: all of them, those in a folder, these.

import type { GrantScope, Width } from "./grant-scope.ts";
import { resolvePath, rootOf } from "./path.ts";
import { bound, list } from "./subject.ts";

/** Nobody reads more names before saying "always". */
const MAX_FILES = 3;

const NOUNS: Readonly<Record<string, readonly [of: string, inside: string]>> = {
  delete: ["deleting", "deleting in"],
  move: ["moving", "moving in"],
};

/** `paths`: at least one, all of them in a root and none protected. */
export function editScope(paths: readonly string[], kind: string, roots: readonly string[]): GrantScope {
  const places = paths.map((path) => toPlace(path, roots));
  const everywhere = `write ${kind}`;
  const keyOf = (path: string): string => `${everywhere} ${path}`;
  const [of, inside] = NOUNS[kind] ?? ["edits of", "edits in"];
  const widths: Width[] = [{ id: "allow_always", keys: [everywhere], subject: `${inside} the workspace` }];
  const folder = commonFolder(places);
  if (folder !== undefined) {
    widths.push({
      id: "allow_always_folder",
      keys: [keyOf(folder.path)],
      subject: `${inside} ${bound(folder.name)}`,
    });
  }
  if (places.length <= MAX_FILES) {
    const names = list([...new Set(places.map(({ name }) => bound(name)))]);
    widths.push({
      id: "allow_always_file",
      keys: places.map(({ path }) => keyOf(path)),
      subject: `${of} ${names}`,
    });
  }
  const parts = places.map(({ path, folders }) => [everywhere, keyOf(path), ...folders.map((one) => keyOf(one.path))]);
  const rejection = { keys: [everywhere], subject: `${inside} the workspace` };
  return { parts, widths, rejection, names: [...new Set(parts.flat())] };
}

/** A path and its name in the workspace; a folder's ends in a slash. */
interface Named {
  readonly path: string;
  readonly name: string;
}

interface Place extends Named {
  /** Those below the root that hold it, the nearest first. */
  readonly folders: readonly Named[];
}

function toPlace(given: string, roots: readonly string[]): Place {
  const path = resolvePath(given) ?? given;
  const root = (rootOf(path, roots) ?? "").replace(/\/$/, "");
  const segments = path.slice(root.length + 1).split("/");
  const folders = segments.slice(0, -1).map((_, at) => {
    const name = `${segments.slice(0, at + 1).join("/")}/`;
    return { path: `${root}/${name}`, name };
  });
  return { path, name: segments.join("/"), folders: folders.reverse() };
}

function commonFolder(places: readonly Place[]): Named | undefined {
  return places[0]?.folders.find(({ path }) =>
    places.every((place) => place.folders.some((folder) => folder.path === path)),
  );
}
