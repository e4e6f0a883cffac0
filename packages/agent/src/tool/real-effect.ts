// What a call would do, by real paths beside those it was given: a link may lead to where nobody would say yes.

import type { Effect } from "../permission/request.ts";
import type { ToolRoom } from "./tool.ts";

type Where = Pick<ToolRoom, "machine" | "roots">;

/** The same effect where paths are what they seem. Never throws: what cannot be found is judged by its name. */
export async function realEffect(effect: Effect, room: Where, signal: AbortSignal): Promise<Effect> {
  if (effect.type !== "write" && effect.type !== "read") return effect;
  const real = await Promise.all(effect.paths.map((path) => realOf(path, room, signal)));
  const paths = [...new Set([...effect.paths, ...real.filter((path) => path !== undefined)])];
  return paths.length === effect.paths.length ? effect : { ...effect, paths };
}

async function realOf(path: string, room: Where, signal: AbortSignal): Promise<string | undefined> {
  const inside = await resolve(path, room, signal);
  return inside === undefined ? outsideOf(path) : underRoots(inside, room, signal);
}

function resolve(path: string, { machine }: Where, signal: AbortSignal): Promise<string | undefined> {
  return machine.resolveInside(path, signal).catch(() => undefined);
}

/** Roots may be links themselves; a path is judged by the roots as they are named. */
async function underRoots(real: string, room: Where, signal: AbortSignal): Promise<string> {
  for (const root of room.roots) {
    const realRoot = await resolve(root, room, signal);
    if (realRoot === undefined || realRoot === root) continue;
    if (real === realRoot) return root;
    if (real.startsWith(`${realRoot}/`)) return root + real.slice(realRoot.length);
  }
  return real;
}

/** Where the roots say no more than that it is not in them. */
async function outsideOf(path: string): Promise<string | undefined> {
  const { locate } = await import("../machine/roots.ts");
  return locate(path, ["/"]).then(
    ({ real }) => real,
    () => undefined,
  );
}
