// The code of an error of the system: "ENOENT" and the like.

import { fieldOf } from "../json/fields.ts";

/** Nothing when it is no such error. */
export function errorCode(cause: unknown): string | undefined {
  const code = fieldOf(cause, "code");
  return typeof code === "string" ? code : undefined;
}
