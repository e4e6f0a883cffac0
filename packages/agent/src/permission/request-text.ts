// What a call asked for, in one bounded text for the record. Secrets are not written down a second time.

import { redact } from "../secret/redact.ts";
import type { PermissionRequest } from "./request.ts";

const MAX_CHARS = 500;

export function describeRequest(request: PermissionRequest): string {
  // Cut first: whoever hides secrets reads no more than is kept, and a secret at the cut is cut with it.
  const text = textOf(request).slice(0, 2 * MAX_CHARS);
  const hidden = redact(text);
  return hidden.length <= MAX_CHARS ? hidden : `${hidden.slice(0, MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function textOf({ effect, title }: PermissionRequest): string {
  switch (effect.type) {
    case "command":
      return effect.command;
    case "fetch":
      return effect.url;
    case "read":
    case "write":
      return effect.paths.length === 0 ? title : effect.paths.join(", ");
    case "session":
    case "other":
      return title;
  }
}
