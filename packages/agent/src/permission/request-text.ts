// What a call asked for, in one bounded text for the record. Secrets are not written down a second time.

import type { PermissionRequest } from "./request.ts";

const MAX_CHARS = 500;
const HIDDEN = "[secret]";

const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(sk|pk|rk|gsk|xai|hf|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs])[-_][A-Za-z0-9_-]{8,}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[A-Za-z0-9_-]{12,}|\beyJ[A-Za-z0-9_-]{6,}(\.[A-Za-z0-9_-]+)+/g,
  /(?<=\b(Bearer|Basic)\s)[A-Za-z0-9._~+/=-]{6,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=(key|token|secret|passwd|password|credential)s?["']?\s{0,2}[=:]\s{0,2}["']?)[^\s"'&;|]{4,}/gi,
];

export function describeRequest(request: PermissionRequest): string {
  // Cut first: whoever hides secrets reads no more than is kept, and a secret at the cut is cut with it.
  const text = textOf(request).slice(0, 2 * MAX_CHARS);
  const hidden = SECRETS.reduce((clean, secret) => clean.replace(secret, HIDDEN), text);
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
