// The servers of a person and of a project, as their `mcp.json` files name them.

import { join } from "node:path";
import { readText } from "../config/files.ts";
import { keysNamedIn, withoutKeys } from "../config/own-keys.ts";
import { parseSettings } from "../config/settings.ts";
import type { Consent } from "./consent.ts";
import { type ConfigText, mergeServers, type ParsedServers, parseServers, type WrittenServer } from "./read-config.ts";
import { quoted, toShellWord } from "./read-config-name.ts";
import type { ServerConfig } from "./server.ts";

export interface ServerPlace {
  readonly cwd: string;
  readonly home: string | undefined;
  readonly env: ConfigText["env"];
}

export interface ServerFiles {
  readonly user: ParsedServers;
  readonly project: ParsedServers;
  readonly userPath: string | undefined;
  readonly projectPath: string;
}

export interface LoadedServers {
  readonly servers: readonly ServerConfig[];
  /** What the person should look into. */
  readonly notices: readonly string[];
}

/** What a session may use: a project's servers only where the person gave their consent. Never rejects. */
export async function loadServers(place: ServerPlace, consent: Consent): Promise<LoadedServers> {
  const { user, project } = await readServerFiles(place);
  const { servers, problems } = mergeServers([], user.servers, project.servers);
  const answers = await Promise.all(
    servers.map((server) => (server.source === "project" ? consent.answer(place.cwd, server) : "given")),
  );
  return {
    servers: servers.filter((_, at) => answers[at] === "given").map(({ fingerprint, ...config }) => config),
    notices: [
      ...user.problems,
      ...project.problems,
      ...problems,
      ...servers.filter((_, at) => answers[at] === undefined).map(askConsent),
    ],
  };
}

/** Names the program or the host, and nothing that may be a secret. */
function askConsent({ name, transport }: WrittenServer): string {
  const what = transport.type === "stdio" ? `start ${quoted(transport.command)}` : `use ${new URL(transport.url).host}`;
  return `This project wants to ${what} as MCP server ${quoted(name)}. \`agentao mcp trust ${toShellWord(name)}\` allows it.`;
}

const NONE: ParsedServers = { servers: [], disabled: [], problems: [] };

/** Never rejects. A project's servers do not get our keys, whatever they name. */
export async function readServerFiles(place: ServerPlace): Promise<ServerFiles> {
  const { cwd, home, env } = place;
  const userPath = home === undefined ? undefined : join(home, "mcp.json");
  const projectPath = join(cwd, ".agentao", "mcp.json");
  const [user, project] = await Promise.all([
    userPath === undefined ? NONE : readServers({ source: "user", path: userPath, env }),
    // The home folder of a person is often opened as a project.
    projectPath === userPath
      ? NONE
      : readServers({ source: "project", path: projectPath, env: await withoutPersonalKeys(env, home) }),
  ]);
  return { user, project, userPath, projectPath };
}

/** Also without those that only the person's settings call keys. */
async function withoutPersonalKeys(env: ConfigText["env"], home: string | undefined): Promise<ConfigText["env"]> {
  if (home === undefined) return withoutKeys(env);
  const path = join(home, "settings.json");
  const { settings } = parseSettings((await readText(path)).text ?? "", path);
  return withoutKeys(env, Object.keys(settings.providers), keysNamedIn(settings));
}

async function readServers(file: ConfigText): Promise<ParsedServers> {
  const { text, problem } = await readText(file.path);
  if (problem !== undefined) return { ...NONE, problems: [`${file.path} cannot be read: ${problem}`] };
  return text === undefined ? NONE : parseServers(text, file);
}
