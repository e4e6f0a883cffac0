// The profile by which commands are confined on macOS. Pure. Of two rules that match, the later one counts.

import type { Confined } from "./sandbox-confined.ts";
import type { SandboxPlaces } from "./sandbox-place.ts";

export function seatbelt(program: string, places: SandboxPlaces, env: Confined["env"]): Confined {
  return {
    words: [program, "-p", seatbeltProfile(places)],
    env: { ...env, TMPDIR: places.temporary },
    isNested: false,
  };
}

export function seatbeltProfile(places: SandboxPlaces): string {
  const { writable, temporary, guarded, pinned, hidden, visible } = places;
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (regex #"^/dev/(null|zero|tty|stdout|stderr|dtracehelper|fd/[0-9]+)$"))',
    allow("file-write*", [...writable, temporary]),
    deny("file-write*", guarded),
    // Renaming or removing it would take what is guarded along.
    ...pinned.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    deny(
      "file-read* file-write*",
      hidden.map(({ path }) => path),
    ),
    allow("file-read*", visible),
    ...(places.network ? [] : ["(deny network*)"]),
  ]
    .filter((rule) => rule !== "")
    .join("\n");
}

function allow(what: string, paths: readonly string[]): string {
  return rule("allow", what, paths);
}

function deny(what: string, paths: readonly string[]): string {
  return rule("deny", what, paths);
}

/** Without a place it would match every one. */
function rule(verdict: string, what: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `(${verdict} ${what} ${paths.map((path) => `(subpath ${quoted(path)})`).join(" ")})`;
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
