// Paths as a model names them, in the room of a call.

import { toAbsolute, toShort } from "../machine/path.ts";
import type { ToolRoom } from "./tool.ts";

type Where = Pick<ToolRoom, "cwd" | "env">;

export function absoluteIn(room: Where, path: string): string {
  return toAbsolute(path.trim(), { cwd: room.cwd, home: room.env.HOME });
}

/** For titles: relative to the session's folder where that is shorter. */
export function shortIn(room: Where, path: string): string {
  return toShort(absoluteIn(room, path), room.cwd);
}
