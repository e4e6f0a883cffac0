// Reads the text of an `mcp.json`: the servers a person or a project names. Pure. What is wrong with one server is told and
// costs that server only; values are never quoted, since they may be secrets.

import { createHash } from "node:crypto";
import { findJsonFault } from "../config/json-place.ts";
import { isFields } from "../json/fields.ts";
import { isServerName, MAX_NAME_CHARS, quoted } from "./read-config-name.ts";
import { field, Refusal, readTransport } from "./read-config-transport.ts";
import type { ServerConfig, ServerSource } from "./server.ts";

export interface ConfigText {
  readonly source: Exclude<ServerSource, "client">;
  /** Of the file; for sentences, and for relative folders in it. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A server as a file has it. */
export interface WrittenServer extends ServerConfig {
  /** Of what is written, before variables are put in: what a person consents to. */
  readonly fingerprint: string;
}

export interface ParsedServers {
  readonly servers: readonly WrittenServer[];
  /** Names of those that are switched off. */
  readonly disabled: readonly string[];
  /** Sentences for the person; each names the file, and says what to do. */
  readonly problems: readonly string[];
}

const START_MS = 60_000;
const MAX_SECONDS = 86_400;
const MAX_SERVERS = 200;

export function parseServers(text: string, file: ConfigText): ParsedServers {
  const json = text.replace(/^\uFEFF/, "");
  const nothing = { servers: [], disabled: [] };
  if (json.trim() === "") return { ...nothing, problems: [] };
  const place = findJsonFault(json);
  if (place !== undefined) {
    const where = `line ${place.line}, column ${place.column}`;
    return { ...nothing, problems: [`${file.path} is not JSON (${where}), so no server in it is used.`] };
  }
  const root: unknown = JSON.parse(json);
  const named = isFields(root) ? (field(root, "mcpServers") ?? {}) : root;
  if (!isFields(named)) {
    return {
      ...nothing,
      problems: [`${file.path}: write {"mcpServers": {"NAME": {…}}}; as it is, no server in it is used.`],
    };
  }
  return readServers(named, file);
}

export interface MergedServers<Server extends ServerConfig = ServerConfig> {
  readonly servers: readonly Server[];
  readonly problems: readonly string[];
}

/** Of one name the client's counts before the person's, and that before the project's. */
export function mergeServers<Client extends ServerConfig, Written extends ServerConfig>(
  client: readonly Client[],
  user: readonly Written[],
  project: readonly Written[],
): MergedServers<Client | Written> {
  const byName = new Map<string, Client | Written>();
  const problems: string[] = [];
  for (const server of [...client, ...user, ...project]) {
    const first = byName.get(server.name);
    if (first === undefined) byName.set(server.name, server);
    else if (first.source === "user" && server.source === "project") {
      problems.push(
        `The project's MCP server ${quoted(server.name)} is not used: you have one of that name. Rename one of them.`,
      );
    }
  }
  return { servers: [...byName.values()], problems };
}

function readServers(named: Readonly<Record<string, unknown>>, file: ConfigText): ParsedServers {
  const [servers, disabled, problems]: [WrittenServer[], string[], string[]] = [[], [], []];
  const entries = Object.entries(named);
  if (entries.length > MAX_SERVERS) {
    problems.push(`${file.path} has ${entries.length} servers; the first ${MAX_SERVERS} are used.`);
  }
  for (const [name, entry] of entries.slice(0, MAX_SERVERS)) {
    const say = (what: string): void => void problems.push(`${file.path}: MCP server ${quoted(name)}: ${what}`);
    if (isFields(entry) && field(entry, "disabled") === true) {
      disabled.push(name);
      continue;
    }
    try {
      servers.push(readServer(name, entry, file, say));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      say(`${refusal.message} Until then it is not used.`);
    }
  }
  return { servers, disabled, problems };
}

function readServer(name: string, entry: unknown, file: ConfigText, say: (what: string) => void): WrittenServer {
  if (!isServerName(name)) {
    throw new Refusal(`rename it: a name is one line of at most ${MAX_NAME_CHARS} characters.`);
  }
  if (!isFields(entry)) throw new Refusal("make it an object with a command or a url.");
  const transport = readTransport(entry, file, say);
  const { startMs, requestMs } = readTimeout(field(entry, "timeout"), say);
  return {
    name,
    source: file.source,
    trust: readTrust(field(entry, "trust"), file.source, say),
    startMs,
    ...(requestMs !== undefined && { requestMs }),
    transport,
    fingerprint: fingerprint(entry),
  };
}

interface Timeout {
  readonly startMs: number;
  readonly requestMs?: number | undefined;
}

function readTimeout(timeout: unknown, say: (what: string) => void): Timeout {
  if (timeout === undefined) return { startMs: START_MS };
  const { startup, request } = isFields(timeout)
    ? { startup: field(timeout, "startup"), request: field(timeout, "request") }
    : { startup: timeout, request: undefined };
  const wrong = [startup, request].some((one) => one !== undefined && !isSeconds(one));
  if (wrong) {
    say('set its "timeout" to seconds, or to {"startup": seconds, "request": seconds}; it is not used as it is.');
  }
  return {
    startMs: isSeconds(startup) ? startup * 1000 : START_MS,
    ...(isSeconds(request) && { requestMs: request * 1000 }),
  };
}

function isSeconds(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= MAX_SECONDS;
}

/** A project cannot say of itself that it is to be believed. */
function readTrust(trust: unknown, source: ServerSource, say: (what: string) => void): boolean {
  if (trust === undefined || trust === false) return false;
  if (trust !== true) say('set its "trust" to true or false; it is not trusted as it is.');
  else if (source === "project") {
    say('its "trust" is not used: only your own mcp.json can trust a server.');
  } else return true;
  return false;
}

/** What it starts or speaks to, and with what. Each is known to be flat by now. */
const CONSENTED = ["type", "command", "args", "env", "cwd", "url", "headers"];

function fingerprint(entry: Readonly<Record<string, unknown>>): string {
  const written = CONSENTED.map((name) => sorted(field(entry, name)));
  return createHash("sha256").update(JSON.stringify(written)).digest("hex").slice(0, 32);
}

/** The order of names does not matter; that of lists does. */
function sorted(value: unknown): unknown {
  return isFields(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : (value ?? null);
}
