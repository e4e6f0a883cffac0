// Finds the paths that somebody means by a few letters, among very many and with every key. Pure.

export type PathSearch = (typed: string, max: number) => readonly string[];

/** Folders end with a slash. What is asked of the same list again is quick, so keep it. */
export function createPathSearch(paths: readonly string[]): PathSearch {
  const lower = paths.map((path) => path.toLowerCase());
  return (typed, max) => {
    const wanted = typed.toLowerCase();
    const best: Found[] = [];
    lower.forEach((path, at) => {
      const distance = distanceOf(path, wanted);
      if (distance === undefined) return;
      if (best.length === max && distance >= (best.at(-1) as Found).distance) return;
      const place = best.findLastIndex((one) => one.distance <= distance) + 1;
      best.splice(place, 0, { at, distance });
      if (best.length > max) best.pop();
    });
    return best.map(({ at }) => paths[at] as string);
  };
}

interface Found {
  readonly at: number;
  readonly distance: number;
}

/** No path is so long. */
const FURTHER = 100_000;

/** The name before the way to it, a beginning before a middle, whole before in pieces, short before long. */
function distanceOf(path: string, wanted: string): number | undefined {
  if (wanted === "") return depthOf(path);
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  if (path.startsWith(wanted, nameAt)) return path.length;
  if (path.startsWith(wanted)) return FURTHER + path.length;
  if (path.includes(wanted, nameAt)) return 2 * FURTHER + path.length;
  if (path.includes(wanted)) return 3 * FURTHER + path.length;
  return hasInOrder(path, wanted) ? 4 * FURTHER + path.length : undefined;
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) depth++;
  return depth;
}

function hasInOrder(path: string, wanted: string): boolean {
  let from = 0;
  for (const letter of wanted) {
    const at = path.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
