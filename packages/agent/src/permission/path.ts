// Paths as text, POSIX and Windows. Nothing here looks at a disk, so links are not followed.

const DRIVE = /^[A-Za-z]:/;

/** Absolute, without `.`, `..` and doubled separators; `/` separates. Nothing when it is relative and so is the base. */
export function resolvePath(path: string, base?: string): string | undefined {
  if (isAbsolute(path)) return normalize(path);
  if (base === undefined || !isAbsolute(base)) return undefined;
  return normalize(`${base}/${path}`);
}

/** The root that holds the path, or is it; nothing when none does. The longest, where several do. */
export function rootOf(path: string, roots: readonly string[]): string | undefined {
  const place = resolvePath(path);
  if (place === undefined) return undefined;
  return roots
    .map((root) => resolvePath(root))
    .filter((root) => root !== undefined)
    .filter((root) => place === root || place.startsWith(root.endsWith("/") ? root : `${root}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}

/** Windows does not tell upper from lower case, so neither do we there. */
function normalize(path: string): string {
  const windows = DRIVE.test(path) || path.startsWith("\\\\");
  const text = windows ? path.replaceAll("\\", "/").toLowerCase() : path;
  const drive = DRIVE.exec(text)?.[0] ?? "";
  const kept: string[] = [];
  for (const segment of text.slice(drive.length).split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `${drive}/${kept.join("/")}`;
}
