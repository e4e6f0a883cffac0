// `agentao acp status`: what the agents named in acp.json are doing, in detail.

import { findServer, loadServers } from "../../drive/load-servers.ts";
import { readStatus, type ServerStatus, type Supervised, stateOf } from "../../drive/server-state.ts";
import type { Io } from "../../io/io.ts";
import type { Command } from "../../manual/command.ts";
import { toClock } from "../../text/when.ts";
import { parseArguments } from "./arguments.ts";
import { NO_AGENTS, needName, told } from "./named.ts";

const help = `agentao acp status: what agents are doing

Usage
  agentao acp status [NAME] [--json]

States: configured, starting, initializing, ready, busy, stopping, stopped, failed. The last error
stays until there is another: read the state first.

Options
  --json      For programs.
  -h, --help  Show this.

Exit codes
  0  told    1  NAME has failed    2  there is no NAME, or something in acp.json is wrong
`;

export const acpStatus: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("status", args);
    const name = given.words.length === 0 ? undefined : needName("status", given);
    return told("status", io, async () => {
      const { names, problems } = await findNames(name, io);
      const all = names.map((one) => ({ name: one, supervised: readStatus(io.cwd, one) }));
      if (given.has("--json")) {
        const json = all.map((one) => ({
          ...detailsOf(one.supervised),
          name: one.name,
          state: stateOf(one.supervised),
        }));
        io.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
      } else if (all.length > 0) {
        io.stdout.write(all.map((one) => describe(one.name, one.supervised)).join("\n"));
      } else if (problems.length === 0) {
        io.stdout.write(NO_AGENTS);
      }
      for (const problem of problems) io.stderr.write(`agentao acp status: ${problem}\n`);
      if (problems.length > 0) return 2;
      return name !== undefined && all.some(({ supervised }) => stateOf(supervised) === "failed") ? 1 : 0;
    });
  },
};

async function findNames(
  name: string | undefined,
  io: Io,
): Promise<{ readonly names: readonly string[]; readonly problems: readonly string[] }> {
  if (name !== undefined) return { names: [(await findServer(name, io)).name], problems: [] };
  const { servers, problems } = await loadServers(io);
  return { names: servers.map((server) => server.name), problems };
}

function detailsOf(supervised: Supervised): Partial<ServerStatus> {
  if (supervised.type === "never") return {};
  // In the kernel's own clock: for us, and no time that anybody else could read.
  const { pid, agentPid, startedAt: _, ...rest } = supervised.status;
  return supervised.type === "running" ? { ...rest, pid, agentPid } : rest;
}

function describe(name: string, supervised: Supervised): string {
  if (supervised.type === "never") return `${name}: configured\n`;
  const { since, restarts, lastError, pid, agentPid } = supervised.status;
  const lines = [
    `${name}: ${stateOf(supervised)} since ${toClock(Date.parse(since))}`,
    ...(supervised.type === "stale" ? ["  its supervisor died without a word"] : []),
    ...(supervised.type === "running"
      ? [`  supervisor ${pid}, agent ${agentPid ?? "not started"}, restarts ${restarts}`]
      : []),
    ...(lastError === undefined
      ? []
      : [`  last error, ${toClock(Date.parse(lastError.at))}: ${lastError.code}: ${lastError.message}`]),
  ];
  return `${lines.join("\n")}\n`;
}
