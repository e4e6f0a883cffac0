// Places that hold credentials, by the path alone. Reading one is asked about, wherever it lies; our own tokens are never
// read. Elsewhere, reading is free.

import { rootOf } from "./path.ts";
import { isProcessPath } from "./process-path.ts";
import { segmentsOf } from "./protected-path.ts";
import type { PermissionRequest } from "./request.ts";

const FOLDERS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".password-store",
  ".oci",
  ".fly",
  ".terraform.d",
  ".mozilla",
  ".thunderbird",
];

const PAIRS = [
  [".config", /^(gh|gcloud|hub|glab-cli|op|rclone|doctl|heroku|containers|google-chrome|chromium|bravesoftware)$/],
  [".docker", /^config\.json$/],
  [".agentao", /^(mcp-auth|settings(\.local)?\.json|\.env)$/],
  [".codex", /^auth\.json$/],
  [".claude", /^\.credentials\.json$/],
  [".gemini", /^oauth_creds\.json$/],
  [".cargo", /^credentials(\.toml)?$/],
  [".gem", /^credentials$/],
  [".m2", /^settings(-security)?\.xml$/],
  [".composer", /^auth\.json$/],
  ["composer", /^auth\.json$/],
  ["git", /^credentials$/],
  ["share", /^keyrings$/],
  ["library", /^keychains$/],
] as const;

const FILES = [
  /^\.(netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|vault-token|boto|s3cfg)$/,
  /^\.env(\.(?!example$|sample$|template$|dist$|defaults$).+)?$/,
  /^(_netrc|\.claude\.json|\.(bash|zsh|psql|mysql|python|node_repl)_history)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
];

/** Folders that hold home folders, and those themselves: whoever searches them searches what is above. */
const HOMES = /^\/((home|users)(\/[^/]+)?|root|proc(\/[^/]+)?)?$/;

/** Those of the paths a call would read that hold credentials; none for calls that read nothing by path. */
export function credentialsOf({ effect, kind }: PermissionRequest, roots: readonly string[]): readonly string[] {
  if (effect.type !== "read") return [];
  const isSearched = (path: string): boolean =>
    kind === "search" && canHoldCredentials(path) && rootOf(path, roots) === undefined;
  return effect.paths.filter((path) => isCredential(path) || isSearched(path));
}

/** `path` absolute. */
export function isCredential(path: string): boolean {
  const segments = segmentsOf(path);
  if (isProcessPath(path) || isOwnToken(path)) return true;
  if (segments.some((segment) => FOLDERS.includes(segment))) return true;
  const isPaired = (segment: string, at: number): boolean =>
    PAIRS.some(([first, second]) => segment === first && second.test(segments[at + 1] ?? ""));
  return segments.some(isPaired) || FILES.some((file) => file.test(segments.at(-1) ?? ""));
}

/** What lets us into MCP servers: no task needs it, and no mode gives it away. */
export function isOwnToken(path: string): boolean {
  return /(^|\/)(\.agentao\/mcp-auth(\/|$)|mcp-auth\/[0-9a-f]{16,}\.json$)/.test(segmentsOf(path).join("/"));
}

/** A folder in which a search would come by credentials. */
export function canHoldCredentials(path: string): boolean {
  return HOMES.test(`/${segmentsOf(path).join("/")}`);
}
