// The servers of a person and of a project, as their `mcp.json` files name them.

import { join } from "node:path";
import { readText } from "../config/files.ts";
import { withoutKeys } from "../config/own-keys.ts";
import { type ConfigText, type ParsedServers, parseServers } from "./read-config.ts";

export interface ServerFiles {
  readonly user: ParsedServers;
  readonly project: ParsedServers;
  readonly userPath: string | undefined;
  readonly projectPath: string;
}

const NONE: ParsedServers = { servers: [], disabled: [], problems: [] };

/** Never rejects. A project's servers do not get our keys, whatever they name. */
export async function readServerFiles(place: {
  readonly cwd: string;
  readonly home: string | undefined;
  readonly env: ConfigText["env"];
}): Promise<ServerFiles> {
  const { cwd, home, env } = place;
  const userPath = home === undefined ? undefined : join(home, "mcp.json");
  const projectPath = join(cwd, ".agentao", "mcp.json");
  const [user, project] = await Promise.all([
    userPath === undefined ? NONE : readServers({ source: "user", path: userPath, env }),
    // The home folder of a person is often opened as a project.
    projectPath === userPath ? NONE : readServers({ source: "project", path: projectPath, env: withoutKeys(env) }),
  ]);
  return { user, project, userPath, projectPath };
}

async function readServers(file: ConfigText): Promise<ParsedServers> {
  const { text, problem } = await readText(file.path);
  if (problem !== undefined) return { ...NONE, problems: [`${file.path} cannot be read: ${problem}`] };
  return text === undefined ? NONE : parseServers(text, file);
}
