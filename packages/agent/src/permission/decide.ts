// Who decides on a call, and why. Pure. The order: hardline floor, deny rules, the person's "always", what the mode
// refuses, the other rules, what the mode allows; and ask where nobody has said anything.

import { type ParsedCommand, parseCommand } from "./command.ts";
import { credentialsOf, isOwnToken } from "./credential-path.ts";
import type { Decision, Policy } from "./decision.ts";
import { findGrant, grantScope } from "./grant.ts";
import { hardlineOf } from "./hardline.ts";
import { matchRule } from "./match-rule.ts";
import { judgeByMode } from "./preset.ts";
import { isReadOnly } from "./read-only-command.ts";
import type { PermissionRequest } from "./request.ts";
import type { RuleProblem } from "./rule.ts";

/** Rules that take too long to match before nobody tries another. */
const MAX_DOUBTS = 8;

export function decide(request: PermissionRequest, policy: Policy): Decision {
  const { effect } = request;
  const parsed = effect.type === "command" ? parseCommand(effect.command, effect.cwd) : undefined;
  const looks = isLooking(request, parsed, policy.roots);

  const floor = parsed === undefined ? undefined : hardlineOf(parsed);
  if (floor !== undefined) return { type: "deny", by: "rule", rule: "hardline", because: floor };
  if ((effect.type === "read" || effect.type === "write") && effect.paths.some(isOwnToken)) {
    return { type: "deny", by: "rule", rule: "hardline", because: "the tokens of MCP servers are nobody's to touch" };
  }
  const denied = byRules(request, parsed, policy, "deny");
  if (denied?.type === "deny") return denied;

  const granted = byGrants(request, parsed, policy);
  if (granted?.type === "deny") return granted;
  const preset = judgeByMode(request, policy.mode, { roots: policy.roots, parsed, looks });
  // "Always" and rules answer questions. What read-only and plan refuse is no question.
  if (preset.type === "deny" && policy.mode !== "workspace-write") return preset;
  if (granted !== undefined) return granted;
  if (denied !== undefined) return denied;

  const broken = policy.problems.find(({ loosens }) => loosens);
  const decision = policy.mode === "full-access" ? preset : (byRules(request, parsed, policy, "other") ?? preset);
  if (decision.type === "allow" && broken !== undefined && !looks) return askBecauseOf(broken);
  return decision;
}

/** It changes nothing outside the session, whatever the mode. */
function isLooking(request: PermissionRequest, parsed: ParsedCommand | undefined, roots: readonly string[]): boolean {
  const { effect } = request;
  switch (effect.type) {
    case "read":
      return credentialsOf(request, roots).length === 0;
    case "session":
      return true;
    case "command":
      return parsed !== undefined && isReadOnly(parsed, roots);
    case "other":
      return effect.readOnly;
    case "write":
    case "fetch":
      return false;
  }
}

/** A project's rules come first: they can only tighten. Where it cannot be said whether a rule matches, it asks. */
function byRules(
  request: PermissionRequest,
  parsed: ParsedCommand | undefined,
  { rules, roots }: Policy,
  which: "deny" | "other",
): Decision | undefined {
  const ordered = [
    ...rules.filter(({ scope }) => scope === "project"),
    ...rules.filter(({ scope }) => scope === "user"),
  ];
  let doubt: Decision | undefined;
  let doubts = 0;
  for (const rule of ordered) {
    if ((rule.action === "deny") !== (which === "deny")) continue;
    const match = matchRule(rule, request, parsed, roots);
    if (match === true) {
      return { type: rule.action, by: "rule", rule: rule.name, because: `a rule (${rule.name}) says ${rule.action}` };
    }
    if (match === "undecided" && rule.action !== "allow") {
      doubt ??= {
        type: "ask",
        by: "rule",
        rule: rule.name,
        because: `it cannot be said whether a rule (${rule.name}) matches`,
      };
      doubts += 1;
      if (which === "other" || doubts >= MAX_DOUBTS) return doubt;
    }
  }
  return doubt;
}

function byGrants(
  request: PermissionRequest,
  parsed: ParsedCommand | undefined,
  { grants, roots }: Policy,
): Decision | undefined {
  if (grants.length === 0) return undefined;
  const grant = findGrant(grants, grantScope(request, roots, parsed));
  if (grant === undefined) return undefined;
  const type = grant.answer === "allow" ? "allow" : "deny";
  const because = `the person said to always ${grant.answer} ${grant.subject} in this session`;
  return { type, by: "grant", rule: `grant: ${grant.subject}`, because };
}

function askBecauseOf({ source, message }: RuleProblem): Decision {
  const because = `the rules in ${source} cannot be read, so a rule that forbids this may be missing: ${message}`;
  return { type: "ask", by: "rule", rule: source, because };
}
