// Whether a rule speaks about a call. Rules about commands see every simple command of the line, not only its text:
// one that forbids sees through quotes and wrappers, one that allows must cover every part.

import type { ParsedCommand } from "./command.ts";
import { credentialsOf } from "./credential-path.ts";
import { readable } from "./field.ts";
import { hostOf, isListed } from "./host.ts";
import { resolvePath, rootOf } from "./path.ts";
import type { Pattern } from "./pattern.ts";
import { isProtected } from "./protected-path.ts";
import { isPlain, isReadOnlyPart, powersOf } from "./read-only-command.ts";
import type { PermissionRequest } from "./request.ts";
import type { Rule } from "./rule.ts";
import type { SimpleCommand } from "./simple-command.ts";

/** Beyond this nobody waits for patterns. */
const MAX_PARTS = 200;

type Match = boolean | "undecided";

/** `parsed` where the call is a command. An allow rule never matches what is opaque or undecided. */
export function matchRule(
  rule: Rule,
  request: PermissionRequest,
  parsed: ParsedCommand | undefined,
  roots: readonly string[],
): Match {
  const named = rule.tool.test(request.tool);
  if (named !== true) return named;
  const call = { ...request, input: { ...request.input, ...request.parsed } };
  if (rule.action === "allow" && parsed !== undefined && parsed.opaque.length > 0) return false;
  if (rule.action === "allow" && isSpecial(request, roots)) return false;
  if (rule.domain !== undefined) return matchDomain(rule, call);
  return all(rule.args.map(({ name, pattern }) => matchArg(rule, name, pattern, call, parsed, roots)));
}

/** A host matches by being listed; a rule that allows does not allow what it blocks. */
function matchDomain({ domain, action }: Rule, { input, effect }: PermissionRequest): boolean {
  if (domain === undefined) return false;
  const given = Object.hasOwn(input, domain.urlArg) ? input[domain.urlArg] : undefined;
  const url = typeof given === "string" ? given : effect.type === "fetch" ? effect.url : undefined;
  const host = url === undefined ? undefined : hostOf(url);
  if (host === undefined) return false;
  const isBlocked = isListed(host, domain.blocklist);
  return action === "allow"
    ? isListed(host, domain.allowlist) && !isBlocked
    : isListed(host, domain.allowlist) || isBlocked;
}

function matchArg(
  rule: Rule,
  name: string,
  pattern: Pattern,
  { input, effect }: PermissionRequest,
  parsed: ParsedCommand | undefined,
  roots: readonly string[],
): Match {
  if (!Object.hasOwn(input, name)) return false;
  const value = input[name];
  const isCommand = effect.type === "command" && (name === "command" || value === effect.command);
  if (!isCommand || parsed === undefined) {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    const paths = isPathName(name) && (effect.type === "write" || effect.type === "read") ? effect.paths : [];
    if (rule.action !== "allow") return foundIn([text, ...paths.flatMap((path) => spellingsOf(path, roots))], pattern);
    return paths.length === 0
      ? pattern.test(text)
      : all(paths.map((path) => foundIn(spellingsOf(path, roots), pattern)));
  }
  if (rule.action === "allow") return coversEveryPart(pattern, parsed, roots);
  if (parsed.commands.length > MAX_PARTS) return "undecided";
  return foundIn([parsed.text, ...parsed.commands.flatMap(textsOf)], pattern);
}

/** What runs code or holds credentials is allowed by a person only. */
function isSpecial(request: PermissionRequest, roots: readonly string[]): boolean {
  const { effect } = request;
  if (effect.type === "write") return effect.paths.some((path) => isProtected(path, roots));
  return credentialsOf(request, roots).length > 0;
}

/** Inputs that say where: rules about them are about the place, however it is spelled. */
function isPathName(name: string): boolean {
  return /path|file|dir|folder/i.test(name) && !/pattern|content/i.test(name);
}

/** Absolute, and relative to each root that holds it, without `.`, `..` and what else could disguise it. */
function spellingsOf(given: string, roots: readonly string[]): string[] {
  const path = resolvePath(given) ?? given;
  const inside = roots
    .map((root) => rootOf(path, [root]))
    .filter((root) => root !== undefined)
    .map((root) => path.slice(root.length).replace(/^\//, "") || ".");
  return [...new Set([...inside, path])];
}

/** What only looks needs no rule; what writes a file or changes the environment is more than a rule about words allows. */
function coversEveryPart(pattern: Pattern, parsed: ParsedCommand, roots: readonly string[]): Match {
  const acting = parsed.commands.filter((command) => !isReadOnlyPart(command, parsed, roots));
  if (acting.length === 0) return pattern.test(parsed.text);
  if (acting.length > MAX_PARTS || !acting.every(isPlain)) return false;
  return all(acting.map(({ argv, via }) => pattern.test([...powersOf(via), ...argv.map(readable)].join(" "))));
}

/** With all, some and none of what it is run through: `sudo env rm x`, `env rm x`, `rm x`. */
function textsOf({ argv, via }: SimpleCommand): string[] {
  const words = argv.map(readable);
  return [...via.map((_, at) => [...via.slice(at), ...words].join(" ")), words.join(" ")];
}

function all(matches: readonly Match[]): Match {
  if (matches.includes(false)) return false;
  return matches.includes("undecided") ? "undecided" : true;
}

/** In any of them. What takes too long once is not tried again. */
function foundIn(texts: readonly string[], pattern: Pattern): Match {
  for (const text of texts) {
    const found = pattern.test(text);
    if (found !== false) return found;
  }
  return false;
}
