// Where a word of a command points: system folders, home folders, raw devices. By the text alone.

import { type Field, HOME, ONE, readable, STAR, UNKNOWN } from "./field.ts";

/** Folders without which the machine is not the same; deleting or moving one is never part of a task. */
const SYSTEM = [
  ..."bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin snap srv sys usr var".split(
    " ",
  ),
  ..."usr/bin usr/include usr/lib usr/lib32 usr/lib64 usr/libexec usr/local usr/sbin usr/share var/lib nix/store".split(
    " ",
  ),
  ..."applications library system users volumes private private/etc private/var".split(" "),
  ..."mnt/c mnt/c/windows mnt/c/users c/windows c/users c: c:/windows c:/users".split(" "),
  "c:/program files",
].map((path) => path.split("/"));

/** Of those, the ones that are not also places where projects and data are kept. */
const DATA = ["media", "mnt", "opt", "run", "srv", "nix", "snap", "volumes", "usr/local"];

const RAW_DEVICE =
  /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|dm-|nbd|zd|ada|da|wd|mtd|mtdblock)[a-z0-9\uE001-\uE003/-]|^\/dev\/(mapper|zvol|block|disk)\/|^\/dev\/k?mem$/;

type Place =
  /** A system folder, everything in it, or everything. */
  | { readonly type: "system"; readonly name: string; readonly holdsData: boolean }
  | { readonly type: "home"; readonly name: string };

/** Nothing for every other place, and where the text does not tell. `cwd` is a shape, too. */
export function placeOf(field: Field, cwd: string | undefined): Place | undefined {
  const path = resolveShape(field.shape, cwd);
  if (path === undefined) return undefined;
  const segments = path.split("/").slice(1);
  while (segments.length > 0 && isEverything(segments.at(-1) as string)) segments.pop();
  const name = readable(field);
  if (path.startsWith(HOME)) return segments.length === 0 ? { type: "home", name } : undefined;
  // A variable that is not set is nothing: `/$x` may be all there is.
  if (segments.length === 0 || segments.every((segment) => segment === "" || segment === UNKNOWN))
    return { type: "system", name, holdsData: false };
  const known = SYSTEM.find((system) => covers(segments, system));
  if (known !== undefined) return { type: "system", name, holdsData: DATA.includes(known.join("/")) };
  const [parent = "", , ...deeper] = segments.slice(/^c:?$/i.test(segments[0] ?? "") ? 1 : 0);
  const isHome = segments.length >= 2 && deeper.length === 0 && (matches(parent, "home") || matches(parent, "users"));
  return isHome ? { type: "home", name } : undefined;
}

export function isRawDevice(field: Field, cwd: string | undefined): boolean {
  const path = resolveShape(field.shape, cwd);
  return path !== undefined && RAW_DEVICE.test(path);
}

/** Absolute or from `HOME`, without `.` and `..`; nothing when it begins with something unknown. */
export function resolveShape(shape: string, cwd: string | undefined): string | undefined {
  const path = shape.replaceAll("\\", "/");
  if (new RegExp(`^/*${HOME}`).test(path)) return fromHome(path.slice(path.indexOf(HOME) + 1));
  if (path.startsWith("/")) return normalize(path);
  if (/^[A-Za-z]:/.test(path)) return normalize(`/${path}`);
  if (path.startsWith(UNKNOWN) || cwd === undefined || cwd === "") return undefined;
  return cwd.startsWith(HOME) ? fromHome(`${cwd.slice(1)}/${path}`) : normalize(`${cwd}/${path}`);
}

function normalize(path: string): string {
  // The root as a process sees it is the root.
  return `/${keep(path.replace(/^\/+proc\/[^/]+\/root(?=\/|$)/, "")).kept.join("/")}`;
}

/** Above a home folder lie only system folders. */
function fromHome(path: string): string {
  const { kept, above } = keep(path);
  if (above > 0) return "/";
  return kept.length === 0 ? HOME : `${HOME}/${kept.join("/")}`;
}

function keep(path: string): { kept: string[]; above: number } {
  const kept: string[] = [];
  let above = 0;
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) above += 1;
  }
  return { kept, above };
}

/** `*`, `.*`, `?*`: whatever is there. */
function isEverything(segment: string): boolean {
  return segment.includes(STAR) && [...segment].every((char) => char === STAR || char === ONE || char === ".");
}

function covers(segments: readonly string[], system: readonly string[]): boolean {
  return segments.length === system.length && segments.every((segment, at) => matches(segment, system[at] as string));
}

/** As `matches`, and what is unknown can be anything. */
export function canBe(segment: string, name: string): boolean {
  return matches(segment.replaceAll(UNKNOWN, STAR), name);
}

/** Whether a segment, file pattern or not, can be this name. Case is ignored, as it is on some disks. */
function matches(segment: string, name: string): boolean {
  const pattern = [...segment.toLowerCase()];
  let places = new Set([0]);
  for (const char of pattern) {
    const next = new Set<number>();
    for (const at of places) {
      if (char === STAR) for (let to = at; to <= name.length; to += 1) next.add(to);
      else if (at < name.length && (char === ONE || char === name.charAt(at))) next.add(at + 1);
    }
    places = next;
  }
  return places.has(name.length);
}
