// "Always" answers of the person, for as long as the session lives. Never for a whole tool that runs commands: a command
// is remembered by its stem, an edit by its place, a fetch by its host.

import { type ParsedCommand, parseCommand } from "./command.ts";
import { hostOf } from "./host.ts";
import { rootOf } from "./path.ts";
import { isProtected } from "./protected-path.ts";
import { isReadOnlyPart } from "./read-only-command.ts";
import type { PermissionRequest } from "./request.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { stemOf } from "./stem.ts";

export interface Grant {
  readonly answer: "allow" | "reject";
  readonly keys: readonly string[];
  /** What it is about, for people: "`npm test`". */
  readonly subject: string;
}

/** What an "always" would be about. */
interface GrantScope {
  /** All of them must be granted. */
  readonly keys: readonly string[];
  readonly subject: string;
  /** False: what this would allow cannot be told, so it can only be rejected for ever. */
  readonly canAllow: boolean;
  /** Other names for the same parts, by which a rejection is recognized, too. */
  readonly aliases: readonly string[];
}

const MAX_SUBJECT_CHARS = 80;
/** Nobody reads more before saying "always". */
const MAX_PARTS = 20;

/** The text of an option: "Always allow `npm test`"; nothing where "always" has no safe meaning. */
export function describeGrant(
  request: PermissionRequest,
  roots: readonly string[],
  answer: Grant["answer"] = "allow",
): string | undefined {
  const scope = grantScope(request, roots);
  if (answer === "reject") return `Always reject ${scope.subject}`;
  return scope.canAllow ? `Always allow ${scope.subject}` : undefined;
}

/** The grant an answer makes; nothing where it can make none. */
export function createGrant(
  request: PermissionRequest,
  roots: readonly string[],
  answer: Grant["answer"],
): Grant | undefined {
  const { keys, subject, canAllow } = grantScope(request, roots);
  return answer === "reject" || canAllow ? { answer, keys, subject } : undefined;
}

/** The grant that settles this call. A rejection counts more than any number of permissions. */
export function findGrant(grants: readonly Grant[], scope: GrantScope): Grant | undefined {
  const names = new Set([...scope.keys, ...scope.aliases]);
  const rejection = grants.find(({ answer, keys }) => answer === "reject" && keys.every((key) => names.has(key)));
  if (rejection !== undefined) return rejection;
  if (!scope.canAllow) return undefined;
  const allowed = grants.filter(({ answer }) => answer === "allow");
  const covers = (key: string): Grant | undefined => allowed.find(({ keys }) => keys.includes(key));
  const grant = covers(scope.keys[0] ?? "");
  return scope.keys.every((key) => covers(key) !== undefined) ? grant : undefined;
}

export function grantScope(request: PermissionRequest, roots: readonly string[], parsed?: ParsedCommand): GrantScope {
  const { effect, tool, kind } = request;
  switch (effect.type) {
    case "command":
      return commandScope(parsed ?? parseCommand(effect.command, effect.cwd), effect.cwd, roots);
    case "write":
      return writeScope(effect.paths, tool, kind, roots);
    case "fetch": {
      const host = hostOf(effect.url);
      if (host === undefined) return simple(`fetch ${effect.url}`, "this address", { canAllow: false });
      return simple(`fetch ${host}`, `fetching from ${host}`);
    }
    case "read":
    case "session":
    case "other":
      return simple(`tool ${tool}`, `\`${tool}\``);
  }
}

function simple(key: string, subject: string, { canAllow = true } = {}): GrantScope {
  return { keys: [key], subject, canAllow, aliases: [] };
}

/** Edits anywhere in the workspace are one thing; a protected file, or one outside, is a thing of its own. */
function writeScope(paths: readonly string[], tool: string, kind: string, roots: readonly string[]): GrantScope {
  const special = paths.filter((path) => rootOf(path, roots) === undefined || isProtected(path, roots));
  if (paths.length === 0) return simple(`tool ${tool}`, `\`${tool}\``, { canAllow: false });
  const nouns: Record<string, string> = { delete: "deleting in", move: "moving in" };
  if (special.length === 0) return simple(`write ${kind}`, `${nouns[kind] ?? "edits in"} the workspace`);
  const subject = quoteAll(special);
  return {
    keys: special.map((path) => `write ${kind} ${path}`),
    subject: `writing ${subject}`,
    canAllow: true,
    aliases: [],
  };
}

function commandScope(parsed: ParsedCommand, cwd: string, roots: readonly string[]): GrantScope {
  const whole = `line ${cwd} ${parsed.text}`;
  const unclear: GrantScope = {
    keys: [whole],
    subject: quoteAll([parsed.text]),
    canAllow: false,
    aliases: [],
  };
  const acting = parsed.commands.filter((command) => !isReadOnlyPart(command, parsed, roots));
  const judged = acting.length > 0 ? acting : parsed.commands;
  const parts = judged.slice(0, MAX_PARTS).map((command) => keyOf(command, roots));
  const known = parts.filter((part) => part !== undefined);
  const aliases = [whole, ...known.map(({ bare }) => bare)];
  const isClear = parsed.opaque.length === 0 && !parsed.evaluates && !parsed.excessive && judged.length <= MAX_PARTS;
  if (!isClear || known.length === 0 || known.length < parts.length) {
    return { ...unclear, aliases: [...aliases, ...known.map(({ key }) => key)] };
  }
  const keys = [...new Set(known.map(({ key }) => key))];
  const texts = [...new Set(known.map(({ text }) => text))];
  return { keys, subject: quoteAll(texts), canAllow: true, aliases };
}

interface PartKey {
  readonly key: string;
  /** Without what it is run through: who rejects `rm x` rejects `sudo rm x`. */
  readonly bare: string;
  readonly text: string;
}

/** Outside the workspace, and where every word matters, the same words elsewhere are another thing. */
function keyOf(command: SimpleCommand, roots: readonly string[]): PartKey | undefined {
  const stem = stemOf(command);
  const { cwd } = command;
  if (stem === undefined || cwd === undefined) return undefined;
  const place = stem.exact || rootOf(cwd, roots) === undefined ? ` in ${cwd}` : "";
  const name = (words: readonly string[]): string =>
    `${stem.exact ? "exactly" : "stem"} ${JSON.stringify(words)}${place}`;
  const words = [...stem.powers, ...stem.words];
  return { key: name(words), bare: name(stem.words), text: words.join(" ") };
}

function quoteAll(texts: readonly string[]): string {
  const quoted = texts.map((text) => `\`${bound(text.replace(/\s+/g, " ").replaceAll("`", "'"))}\``);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

function bound(text: string): string {
  return text.length <= MAX_SUBJECT_CHARS ? text : `${text.slice(0, MAX_SUBJECT_CHARS - 1)}…`;
}
