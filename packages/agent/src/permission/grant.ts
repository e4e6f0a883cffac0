// "Always" answers of the person, for as long as the session lives. Never for a whole tool that runs commands: a command
// is remembered by its stem or its line, an edit by its place, a fetch by its host.

import { type ParsedCommand, parseCommand } from "./command.ts";
import { credentialsOf } from "./credential-path.ts";
import type { GrantScope, Width } from "./grant-scope.ts";
import { hostOf } from "./host.ts";
import { rootOf } from "./path.ts";
import { isProtected } from "./protected-path.ts";
import { isReadOnlyPart } from "./read-only-command.ts";
import type { CommandEffect, PermissionRequest } from "./request.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { stemOf } from "./stem.ts";
import { bound, quoteAll } from "./subject.ts";
import { editScope } from "./write-scope.ts";

export interface Grant {
  readonly answer: "allow" | "reject";
  readonly keys: readonly string[];
  /** What it is about, for people: "`npm test …`". */
  readonly subject: string;
}

/** Nobody reads more before saying "always". */
const MAX_PARTS = 20;

/** The widths at which it can always be allowed, the default first: "Always allow `npm test …`". */
export function describeWidths(
  request: PermissionRequest,
  roots: readonly string[],
): readonly { readonly id: Width["id"]; readonly name: string }[] {
  return grantScope(request, roots).widths.map(({ id, subject }) => ({ id, name: `Always allow ${subject}` }));
}

export function describeRejection(request: PermissionRequest, roots: readonly string[]): string {
  return `Always reject ${grantScope(request, roots).rejection.subject}`;
}

/** The grant an answer makes; nothing where it can make none. */
export function createGrant(
  request: PermissionRequest,
  roots: readonly string[],
  answer: Grant["answer"],
  id: string = "allow_always",
): Grant | undefined {
  const { widths, rejection } = grantScope(request, roots);
  if (answer === "reject") return { answer, ...rejection };
  const width = widths.find((one) => one.id === id);
  return width === undefined ? undefined : { answer, keys: width.keys, subject: width.subject };
}

/** The grant that settles this call. A rejection counts more than any number of permissions. */
export function findGrant(grants: readonly Grant[], scope: GrantScope): Grant | undefined {
  const names = new Set(scope.names);
  const rejection = grants.find(({ answer, keys }) => answer === "reject" && keys.every((key) => names.has(key)));
  if (rejection !== undefined) return rejection;
  if (scope.widths.length === 0) return undefined;
  const allowed = grants.filter(({ answer }) => answer === "allow");
  const covering = scope.parts.map((part) => allowed.find(({ keys }) => keys.some((key) => part.includes(key))));
  return covering.every((grant) => grant !== undefined) ? covering[0] : undefined;
}

export function grantScope(request: PermissionRequest, roots: readonly string[], parsed?: ParsedCommand): GrantScope {
  const { effect, tool, kind } = request;
  switch (effect.type) {
    case "command": {
      const scope = commandScope(parsed ?? parseCommand(effect.command, effect.cwd), effect.cwd, roots);
      return outsideSandbox(effect, scope);
    }
    case "write":
      return writeScope(effect.paths, tool, kind, roots);
    case "fetch": {
      const host = hostOf(effect.url);
      if (host === undefined) return simple(`fetch ${effect.url}`, "this address", { canAllow: false });
      return simple(`fetch ${host}`, `fetching from ${bound(host)}`);
    }
    case "read": {
      const credentials = credentialsOf(request, roots);
      return credentials.length === 0 ? simple(`tool ${tool}`, `\`${tool}\``) : credentialScope(credentials, tool);
    }
    case "session":
    case "other":
      return simple(`tool ${tool}`, `\`${tool}\``);
  }
}

/** Each of them is a thing of its own, whichever tool reads it. */
function credentialScope(paths: readonly string[], tool: string): GrantScope {
  const keys = paths.map((path) => `read ${path}`);
  const subject = `reading ${quoteAll(paths)}`;
  const widths: readonly Width[] = [{ id: "allow_always", keys, subject }];
  return { parts: keys.map((key) => [key]), widths, rejection: { keys, subject }, names: [...keys, `tool ${tool}`] };
}

function simple(key: string, subject: string, { canAllow = true } = {}): GrantScope {
  const widths: readonly Width[] = canAllow ? [{ id: "allow_always", keys: [key], subject }] : [];
  return { parts: [[key]], widths, rejection: { keys: [key], subject }, names: [key] };
}

/** What was allowed inside is not allowed outside; what was rejected inside is rejected outside, too. */
function outsideSandbox({ sandboxed }: CommandEffect, scope: GrantScope): GrantScope {
  if (sandboxed !== false) return scope;
  const outside = (keys: readonly string[]): readonly string[] => keys.map((key) => `outside ${key}`);
  const named = (subject: string): string => `${subject} outside the sandbox`;
  return {
    parts: scope.parts.map(outside),
    widths: scope.widths.map(({ id, keys, subject }) => ({ id, keys: outside(keys), subject: named(subject) })),
    rejection: { keys: outside(scope.rejection.keys), subject: named(scope.rejection.subject) },
    names: [...scope.names, ...outside(scope.names)],
  };
}

/** Edits anywhere in the workspace are one thing; a protected file, or one outside, is a thing of its own. */
function writeScope(paths: readonly string[], tool: string, kind: string, roots: readonly string[]): GrantScope {
  if (paths.length === 0) return simple(`tool ${tool}`, `\`${tool}\``, { canAllow: false });
  const special = paths.filter((path) => rootOf(path, roots) === undefined || isProtected(path, roots));
  if (special.length === 0) return editScope(paths, kind, roots);
  const keys = special.map((path) => `write ${kind} ${path}`);
  const subject = `writing ${quoteAll(special)}`;
  const widths: readonly Width[] = [{ id: "allow_always", keys, subject }];
  return { parts: keys.map((key) => [key]), widths, rejection: { keys, subject }, names: keys };
}

function commandScope(parsed: ParsedCommand, cwd: string, roots: readonly string[]): GrantScope {
  const line = `line ${cwd} ${parsed.text}`;
  const whole = quoteAll([parsed.text]);
  const acting = parsed.commands.filter((command) => !isReadOnlyPart(command, parsed, roots));
  const judged = acting.length > 0 ? acting : parsed.commands;
  const parts = judged.slice(0, MAX_PARTS).map((command) => keyOf(command, roots, parsed.text));
  const known = parts.filter((part) => part !== undefined);
  const names = [line, ...known.flatMap((part) => part.names)];
  const isClear = parsed.opaque.length === 0 && !parsed.evaluates && !parsed.excessive && judged.length <= MAX_PARTS;
  if (!isClear || known.length === 0 || known.length < parts.length) {
    return { parts: [[line]], widths: [], rejection: { keys: [line], subject: whole }, names };
  }
  const keys = [...new Set(known.map(({ key }) => key))];
  const texts = [...new Set(known.map(({ text }) => text))];
  const rejection = { keys, subject: quoteAll(texts) };
  const isWider = known.some(({ exact }) => !exact);
  const canRepeat = known.every(({ written }) => written);
  const stems = [...new Set(known.map(({ text, exact }) => (exact ? text : `${text} …`)))];
  const widths: Width[] = [{ id: "allow_always", keys, subject: quoteAll(stems) }];
  if (isWider && canRepeat) widths.push({ id: "allow_always_exact", keys: [line], subject: `exactly ${whole}` });
  return { parts: known.map(({ key }) => [key, line]), widths, rejection, names };
}

interface PartKey {
  readonly key: string;
  /** Also without what it is run through and what it is given: who rejects `rm x` rejects `sudo rm x`. */
  readonly names: readonly string[];
  readonly text: string;
  readonly exact: boolean;
  /** Every word of it is written out, so the same line is the same thing again. */
  readonly written: boolean;
}

/** Outside the workspace, and where every word matters, the same words elsewhere are another thing. */
function keyOf(command: SimpleCommand, roots: readonly string[], line: string): PartKey | undefined {
  const stem = stemOf(command);
  const { cwd, input } = command;
  if (stem === undefined || cwd === undefined) return undefined;
  const place = stem.exact || rootOf(cwd, roots) === undefined ? ` in ${cwd}` : "";
  // What it is given matters as much as its words; where that is not told, only the same line gives the same.
  const given = input.type === "text" ? ` given ${input.text}` : input.type === "nothing" ? "" : ` given by ${line}`;
  const name = (words: readonly string[], input = stem.exact ? given : ""): string =>
    `${stem.exact ? "exactly" : "stem"} ${JSON.stringify(words)}${place}${input}`;
  const words = [...stem.powers, ...stem.words];
  const names = [name(words), name(words, ""), name(stem.words), name(stem.words, "")];
  const written = command.argv.every(({ sure }) => sure) && command.assignments.every(({ value }) => value.sure);
  return { key: name(words), names, text: words.join(" "), exact: stem.exact, written };
}
