// The person's word on an agent that a project brings: what it would run, and whether they have agreed to just that.

import { createHash } from "node:crypto";
import { findHome } from "../home.ts";
import { toVisibleWord } from "../text/split-words.ts";
import { DriveFault } from "./drive-fault.ts";
import { findServer, loadServers, type Place } from "./load-servers.ts";
import type { ServerConfig } from "./server-config.ts";

export interface AgentConsent {
  isGiven(): Promise<boolean>;
  /** Counts at once, also where it cannot be written down. */
  give(): Promise<unknown>;
}

export async function openAgentConsent(server: ServerConfig, { cwd, env }: Place): Promise<AgentConsent> {
  const { createConsent } = await import("@agentao/agent/mcp");
  const consent = createConsent(findHome(env), "acp-consent.json");
  const subject = { name: server.name, fingerprint: fingerprintOf(server) };
  return { isGiven: () => consent.isGiven(cwd, subject), give: () => consent.give(cwd, subject) };
}

/** As `findServer`. A project cannot put another program in the place of a person's own agent without their word. */
export async function findServerToRun(name: string, place: Place): Promise<ServerConfig> {
  const server = await findServer(name, place);
  await needConsent(server, place);
  return server;
}

/** Throws a `DriveFault` where the person's own agent of that name is another one. */
export async function needConsent(server: ServerConfig, place: Place): Promise<void> {
  const { name } = server;
  const { replaced } = await loadServers(place);
  if (!replaced.has(name) || (await (await openAgentConsent(server, place)).isGiven())) return;
  const todo = `To use this one, say @${name} in a chat here, and yes; or rename it.`;
  throw new DriveFault(
    "interaction_required",
    `${name} is another agent in this project's acp.json than in yours, and would run: ${toCommandLine(server)}\n${todo}`,
  );
}

/** With nothing in it that a screen would hide. */
export function toCommandLine({ command, args }: Pick<ServerConfig, "command" | "args">): string {
  return [command, ...args].map(toVisibleWord).join(" ");
}

function fingerprintOf({ command, args, cwd, env, lend }: ServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, cwd, env, lend]))
    .digest("hex");
}
