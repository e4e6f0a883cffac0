// What each mode says about a call, by what the call would do.

import type { ParsedCommand } from "./command.ts";
import { isCredential } from "./credential-path.ts";
import type { Decision } from "./decision.ts";
import { hostOf, isDocumentation, isLocal } from "./host.ts";
import type { ModeId } from "./mode.ts";
import { rootOf } from "./path.ts";
import { isProtected } from "./protected-path.ts";
import type { PermissionRequest } from "./request.ts";

interface Circumstances {
  readonly roots: readonly string[];
  readonly parsed: ParsedCommand | undefined;
  /** It changes nothing outside the session. */
  readonly looks: boolean;
}

export function judgeByMode(request: PermissionRequest, mode: ModeId, circumstances: Circumstances): Decision {
  const rule = `mode ${mode}`;
  const [type, because] = judge(request, mode, circumstances);
  return { type, by: "rule", rule, because };
}

type FetchEffect = Extract<PermissionRequest["effect"], { type: "fetch" }>;

type Judgement = readonly [type: Decision["type"], because: string];

function judge({ effect }: PermissionRequest, mode: ModeId, circumstances: Circumstances): Judgement {
  if (circumstances.looks && !(mode === "workspace-write" && leavesSandbox(effect)))
    return ["allow", `it changes nothing, which ${mode} mode allows`];
  if (effect.type === "read" && mode !== "full-access") return ["ask", readsCredentials(effect.paths)];
  switch (mode) {
    case "full-access":
      return fullAccess(circumstances.parsed);
    case "read-only":
      return effect.type === "fetch" ? fetchFrom(effect, mode) : ["deny", "read-only mode allows nothing but looking"];
    case "plan":
      return effect.type === "fetch"
        ? fetchFrom(effect, mode)
        : ["deny", "this is plan mode: plan, and do not carry out"];
    case "workspace-write":
      return workspaceWrite(effect, circumstances);
  }
}

/** Whatever else is read only looks. */
function readsCredentials(paths: readonly string[]): string {
  return `it reads a place that may hold credentials (${paths.find(isCredential) ?? paths[0]})`;
}

function fullAccess(parsed: ParsedCommand | undefined): Judgement {
  const because = "full-access mode allows everything";
  const [unclear] = parsed?.opaque ?? [];
  return ["allow", unclear === undefined ? because : `${because}, also a command that cannot be checked (${unclear})`];
}

function workspaceWrite(effect: PermissionRequest["effect"], { roots, parsed }: Circumstances): Judgement {
  switch (effect.type) {
    case "read":
    case "session":
      return ["allow", "it changes nothing"];
    case "write":
      return write(effect.paths, roots);
    case "command": {
      // The sandbox holds whatever runs in it, so it does not matter whether the command can be read; hardline and rules
      // have had their say before. That it may reach the network was the person's own decision, when it may.
      if (effect.sandboxed === true) return ["allow", "it runs in the sandbox"];
      if (leavesSandbox(effect)) return ["ask", outside(effect.reason)];
      const [unclear] = parsed?.opaque ?? [];
      if (unclear !== undefined) return ["ask", `this command cannot be checked: ${unclear}`];
      return ["ask", "workspace-write mode asks before a command that may change something"];
    }
    case "fetch":
      return fetchFrom(effect, "workspace-write");
    case "other":
      return ["ask", "workspace-write mode asks before a tool that may change something"];
  }
}

/** Also of commands that only look: outside they could look at what the sandbox hides. */
function leavesSandbox(effect: PermissionRequest["effect"]): boolean {
  return effect.type === "command" && effect.sandboxed === false;
}

function outside(reason: string | undefined): string {
  return `it would run outside the sandbox${reason === undefined ? "" : `: ${reason}`}`;
}

function write(paths: readonly string[], roots: readonly string[]): Judgement {
  if (paths.length === 0) return ["ask", "it does not say what it writes"];
  const outside = paths.find((path) => rootOf(path, roots) === undefined);
  // No answer could make it happen: files are written in the session's folders only.
  if (outside !== undefined) return ["deny", `it writes outside the session's folders (${outside})`];
  const special = paths.find((path) => isProtected(path, roots));
  if (special !== undefined) return ["ask", `it writes a file that runs code or holds credentials (${special})`];
  return ["allow", "workspace-write mode allows edits in the workspace"];
}

function fetchFrom({ url, configured = false }: FetchEffect, mode: ModeId): Judgement {
  const host = hostOf(url);
  if (host === undefined) return ["ask", "the address is not an http address"];
  if (isLocal(host) && !configured) return ["deny", `${host} is this machine or its network`];
  if (mode === "workspace-write" && isDocumentation(host))
    return ["allow", `${host} is documentation anybody may read`];
  return ["ask", `${mode} mode asks before it fetches from the web`];
}
