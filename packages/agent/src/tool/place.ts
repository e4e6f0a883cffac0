// Paths as a model names them, in the room of a call.

import { MachineError } from "../machine/machine.ts";
import { toAbsolute, toShort } from "../machine/path.ts";
import { visibleLine } from "../permission/visible.ts";
import type { ToolRoom } from "./tool.ts";

type Where = Pick<ToolRoom, "cwd" | "env">;

/** No system opens a longer one. */
const MAX_PATH_BYTES = 4_096;

/** Throws for what is too long to be a path. */
export function absoluteIn(room: Where, path: string): string {
  const absolute = toAbsolute(path.trim(), { cwd: room.cwd, home: room.env.HOME });
  if (absolute.length > MAX_PATH_BYTES || new TextEncoder().encode(absolute).length > MAX_PATH_BYTES) {
    throw new MachineError("failed", `The path is too long: it may have ${MAX_PATH_BYTES} bytes at most`);
  }
  return absolute;
}

/** Relative to the session's folder where that is shorter. */
export function shortIn(room: Where, path: string): string {
  return toShort(absoluteIn(room, path), room.cwd);
}

/** The same for titles: on one line, and all of it to be seen. */
export function titleIn(room: Where, path: string): string {
  return visibleLine(shortIn(room, path));
}
