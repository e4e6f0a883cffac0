// What Linux tells of processes below /proc: their environment, memory and open files. Ours has keys in it.

import { type Field, ONE, STAR, UNKNOWN } from "./field.ts";
import { canBe, resolveShape } from "./place.ts";

/** About the machine, not about what somebody runs. */
const ABOUT_MACHINE =
  /^\/proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts|self\/(status|mounts|cgroup))$/;

/** In the folder of a process. */
const TELLING = ["environ", "mem", "maps", "smaps", "fd", "root", "cwd", "exe", "cmdline", "task", "map_files", "auxv"];

/** `path` absolute. */
export function isProcessPath(path: string): boolean {
  const plain = path.replace(/\/+/g, "/");
  return /^\/proc\/(\d+|self|thread-self)(\/|$)/.test(plain) && !ABOUT_MACHINE.test(plain);
}

/** Whether a word of a command, or an option with a path in it, can name something of a process. `cwd` is a shape. */
export function mayBeProcessPath({ shape }: Field, cwd: string | undefined): boolean {
  const value = /^-[^/=]*=?(\/.*)$/s.exec(shape)?.[1] ?? /^[\w-]+=(.*)$/s.exec(shape)?.[1] ?? shape;
  if (ABOUT_MACHINE.test(value)) return false;
  const path = resolveShape(value, cwd) ?? value;
  return [value, path].some((text) => isBelowProc(text) || isOfProcess(text));
}

/** `/proc` however it is written: with patterns, doubled slashes, through `..`. */
function isBelowProc(text: string): boolean {
  if (!text.startsWith("/")) return false;
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("proc")) return segments[0] === "proc" || segments.includes("..");
  const [first = "", second] = segments;
  const isPattern = [STAR, ONE, UNKNOWN].some((mark) => first.includes(mark));
  return isPattern && second !== undefined && canBe(first, "proc");
}

/** `$PPID/environ`, `123/fd`: by a link, /proc may have any name. */
function isOfProcess(text: string): boolean {
  const segments = text.split("/");
  return segments.some((segment, at) => {
    if (segment === "environ") return true;
    const isProcess = /^(\d+|self|thread-self)$/.test(segment) || segment.includes(UNKNOWN);
    const next = segments[at + 1];
    return isProcess && next !== undefined && TELLING.some((name) => canBe(next, name)) && !isEverything(next);
  });
}

/** `$folder/*` is what people write all day. */
function isEverything(segment: string): boolean {
  return [...segment].every((char) => char === STAR || char === UNKNOWN);
}
