// The agents a project and a person have named. A project's goes before a person's of the same name.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { findHome } from "../home.ts";
import { readConfig } from "../io/config-text.ts";
import { nearest } from "../text/nearest.ts";

import { DriveFault } from "./drive-fault.ts";
import { expandVariables, type ParsedServers, parseServers, type ServerConfig } from "./server-config.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Place {
  readonly cwd: string;
  readonly env: Env;
}

export interface LoadedServers {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly string[];
  /** Names of those that the project brings, and not the person. */
  readonly ofProject: ReadonlySet<string>;
  /** Names of those where the project's is another agent than the person's own. */
  readonly replaced: ReadonlySet<string>;
}

export async function loadServers({ cwd, env }: Place): Promise<LoadedServers> {
  const home = findHome(env);
  const own = join(cwd, ".agentao", "acp.json");
  const personal = home === undefined ? undefined : join(home, "acp.json");
  const paths = personal === undefined ? [own] : [own, personal];
  const files = await Promise.all([...new Set(paths)].map(readServers));
  const servers = new Map<string, ServerConfig>();
  for (const server of files.flatMap((file) => file.servers)) {
    if (!servers.has(server.name)) servers.set(server.name, server);
  }
  const brought = own === personal ? [] : (files[0]?.servers ?? []);
  const owns = new Map(files[1]?.servers.map((server) => [server.name, server]));
  return {
    servers: [...servers.values()],
    problems: files.flatMap(({ problems }) => problems),
    ofProject: new Set(brought.map(({ name }) => name)),
    replaced: new Set(brought.flatMap((server) => (isAnother(server, owns.get(server.name)) ? server.name : []))),
  };
}

function isAnother(server: ServerConfig, own: ServerConfig | undefined): boolean {
  return own !== undefined && JSON.stringify(server) !== JSON.stringify(own);
}

/** Throws a `DriveFault` for a name that is not there. */
export async function findServer(name: string, place: Place): Promise<ServerConfig> {
  const { servers, problems } = await loadServers(place);
  const server = servers.find((one) => one.name === name);
  if (server !== undefined) return server;
  const own = problems.filter((problem) => !problem.includes(": servers.") || isOf(problem, name));
  if (own.length > 0) throw new DriveFault("config_invalid", own.join("\n"));
  const names = servers.map((one) => one.name);
  const close = nearest(name, names);
  const hint =
    close !== undefined
      ? `Did you mean ${close}?`
      : names.length > 0
        ? `There are: ${names.join(", ")}.`
        : `Name it in .agentao/acp.json: { "servers": { "${name}": { "command": … } } }.`;
  throw new DriveFault("server_not_found", `there is no agent named "${name}". ${hint}`);
}

function isOf(problem: string, name: string): boolean {
  return [".", ":", " "].some((end) => problem.includes(`: servers.${name}${end}`));
}

export interface Launch {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Env;
}

/** What to start, with variables filled in. Throws a `DriveFault` when one is not set, or there is no such folder. */
export function toLaunch(server: ServerConfig, { cwd, env }: Place): Launch {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(server.env)) {
    const { text, missing } = expandVariables(value, env);
    if (missing.length > 0) {
      const needs = `servers.${server.name}.env.${name} needs ${missing.join(" and ")}, which is not set. Set it first.`;
      throw new DriveFault("config_invalid", needs);
    }
    own[name] = text;
  }
  const folder = resolve(cwd, server.cwd);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DriveFault(
      "config_invalid",
      `servers.${server.name}.cwd: there is no folder ${folder}. Make it, or name another.`,
    );
  }
  return { command: [server.command, ...server.args], cwd: folder, env: { ...env, ...own } };
}

async function readServers(path: string): Promise<ParsedServers> {
  const read = await readConfig(path);
  switch (read.type) {
    case "text":
      return parseServers(read.text, path);
    case "missing":
      return { servers: [], problems: [] };
    case "unreadable":
      return { servers: [], problems: [`cannot read ${path}: ${read.why}`] };
  }
}
