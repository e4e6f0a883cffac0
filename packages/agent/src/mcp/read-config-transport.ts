// How a server of an `mcp.json` is reached: a command to start, or an address. Pure.

import { dirname, resolve } from "node:path";
import { isFields } from "../json/fields.ts";
import { quoted } from "./read-config-name.ts";
import { expandVariables } from "./read-config-variable.ts";
import type { ServerTransport } from "./server.ts";

export interface TransportPlace {
  /** Of the file; a relative folder begins where `.agentao` is. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is wrong with a whole server, and what to do. Never leaves the reading of a file. */
export class Refusal extends Error {}

/** Throws a `Refusal`. */
export function readTransport(
  entry: Readonly<Record<string, unknown>>,
  file: TransportPlace,
  say: (what: string) => void,
): ServerTransport {
  const unset = new Set<string>();
  const expand = (text: string): string => expandVariables(text, file.env, (variable) => unset.add(variable));
  const type = readType(entry);
  const transport: ServerTransport =
    type === "stdio"
      ? {
          type,
          command: readCommand(entry),
          args: readArgs(field(entry, "args")).map(expand),
          env: expandAll(readTexts(entry, "env", isVariableName), expand),
          ...readCwd(field(entry, "cwd"), file.path),
        }
      : {
          type,
          url: readUrl(field(entry, "url"), expand),
          headers: expandAll(readTexts(entry, "headers", isHeaderName), expand),
        };
  for (const variable of unset) say(`the variable ${variable} is not set, so it is empty there. Set it.`);
  if (transport.type !== "stdio" && Object.values(transport.headers).some((value) => /[\r\n\0]/.test(value))) {
    throw new Refusal("make every header one line.");
  }
  return transport;
}

const TYPES: ReadonlyMap<unknown, ServerTransport["type"]> = new Map([
  ["stdio", "stdio"],
  ["sse", "sse"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamable_http", "http"],
  ["streamableHttp", "http"],
]);

function readType(entry: Readonly<Record<string, unknown>>): ServerTransport["type"] {
  const written = field(entry, "type");
  if (written !== undefined) {
    const type = TYPES.get(written);
    if (type === undefined) throw new Refusal('set its type to "stdio", "sse" or "http".');
    return type;
  }
  if (field(entry, "command") !== undefined) return "stdio";
  if (field(entry, "url") !== undefined) return "http";
  throw new Refusal('give it a "command" to start, or the "url" of a running server.');
}

function readCommand(entry: Readonly<Record<string, unknown>>): string {
  const command = field(entry, "command");
  if (typeof command !== "string" || command.trim() === "" || command.includes("\0")) {
    throw new Refusal('set its "command" to the program to start.');
  }
  return command.trim();
}

function readArgs(args: unknown): readonly string[] {
  if (args === undefined) return [];
  if (!Array.isArray(args) || !args.every(isScalar)) throw new Refusal('make its "args" a list of texts.');
  return args.map(String);
}

function readCwd(cwd: unknown, path: string): { readonly cwd?: string } {
  if (cwd === undefined) return {};
  if (typeof cwd !== "string" || cwd.trim() === "") throw new Refusal('set its "cwd" to a folder.');
  return { cwd: resolve(dirname(dirname(path)), cwd) };
}

function readUrl(url: unknown, expand: (text: string) => string): string {
  if (typeof url !== "string" || url.trim() === "") throw new Refusal('set its "url" to the address of the server.');
  const expanded = expand(url).trim();
  if (!/^https?:\/\/[^/]/i.test(expanded) || !URL.canParse(expanded)) {
    throw new Refusal('set its "url" to an http or https address.');
  }
  return expanded;
}

function readTexts(
  entry: Readonly<Record<string, unknown>>,
  name: "env" | "headers",
  isName: (name: string) => boolean,
): readonly (readonly [string, string])[] {
  const texts = field(entry, name);
  if (texts === undefined) return [];
  if (!isFields(texts)) throw new Refusal(`make its "${name}" an object of names and texts.`);
  const pairs = Object.entries(texts);
  const odd = pairs.find(([one, value]) => !isName(one) || !isScalar(value));
  if (odd !== undefined) throw new Refusal(`mend ${quoted(odd[0])} in its "${name}": a plain name, and a text.`);
  return pairs.map(([one, value]) => [one, String(value)] as const);
}

function expandAll(
  pairs: readonly (readonly [string, string])[],
  expand: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(([name, value]) => [name, expand(value)]));
}

function isVariableName(name: string): boolean {
  return /^[^=\0\s]+$/.test(name);
}

/** RFC 9110, 5.6.2. */
function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
}

/** `null` is as good as nothing. */
export function field(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
