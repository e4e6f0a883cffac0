// The arguments of bubblewrap, by which commands are confined on Linux. Pure. Mounts come in order: what comes later lies
// on top of what came before.

import { sep } from "node:path";
import type { Confined } from "./sandbox-confined.ts";
import type { HiddenPlace, SandboxPlaces } from "./sandbox-place.ts";

/** On which descriptor it tells who runs inside. */
export const INSIDE_FD = 4;
/** Root stays able to work on files of others; what would let it undo the mounts is gone. */
const KEPT_POWERS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID"];
/** Sockets in there lead out of the sandbox: of containers, of services, of key agents. */
const SOCKETS = "/run";
/** Parts of it that programs and name resolution need. */
const IN_SOCKETS = ["/run/current-system", "/run/systemd/resolve"];
/** Settings of the kernel, which root could write even there. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger"];

export function bubblewrap(program: string, places: SandboxPlaces, env: Confined["env"]): Confined {
  const { TMPDIR } = env;
  return {
    words: [program, ...bubblewrapArguments(places, { isRoot: process.getuid?.() === 0 }), "--"],
    env: TMPDIR === undefined ? env : { ...env, TMPDIR: "/tmp" },
    isNested: true,
  };
}

export function bubblewrapArguments(places: SandboxPlaces, { isRoot }: { readonly isRoot: boolean }): string[] {
  const { writable, hidden } = places;
  const bound = [...places.readable, ...writable];
  const isAround = ({ path }: HiddenPlace): boolean => bound.some((folder) => isInside(folder, path));
  return [
    ...["--die-with-parent", "--new-session", "--info-fd", String(INSIDE_FD)],
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", ...(places.network ? [] : ["--unshare-net"])],
    ...(isRoot ? ["--cap-drop", "ALL", ...KEPT_POWERS.flatMap((name) => ["--cap-add", `CAP_${name}`])] : []),
    ...[writable.includes("/") ? "--bind" : "--ro-bind", "/", "/"],
    ...["--dev", "/dev", "--proc", "/proc", ...KERNEL.flatMap((path) => ["--ro-bind-try", path, path])],
    ...["--tmpfs", SOCKETS, ...IN_SOCKETS.flatMap((path) => ["--ro-bind-try", path, path])],
    ...["--bind", places.temporary, "/tmp", "--ro-bind", places.spill, places.spill],
    ...hidden.filter(isAround).flatMap((place) => hide(place, places)),
    ...places.readable.flatMap((path) => ["--ro-bind", path, path]),
    ...writable.filter((path) => path !== "/").flatMap((path) => ["--bind", path, path]),
    ...places.pinned.flatMap((path) => ["--bind", path, path]),
    ...places.guarded.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.filter((place) => !isAround(place)).flatMap((place) => hide(place, places)),
    ...places.visible.flatMap((path) => ["--ro-bind", path, path]),
    ...["--chdir", places.cwd],
  ];
}

function hide({ path, type }: HiddenPlace, { emptyFile }: SandboxPlaces): string[] {
  return type === "folder" ? ["--tmpfs", path] : ["--ro-bind", emptyFile, path];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
