// `agentao acp list`: the agents named in acp.json.

import { loadServers } from "../../drive/load-servers.ts";
import { readStatus, stateOf } from "../../drive/server-state.ts";
import type { Command } from "../../manual/command.ts";
import { parseArguments } from "./arguments.ts";
import { CONFIG_HELP, NO_AGENTS, refuseWords } from "./named.ts";

const help = `agentao acp list: which agents are configured, and what they are doing

Usage
  agentao acp list [--json | --names]

Options
  --json      For programs.
  --names     Only the names, one in a line.
  -h, --help  Show this.

${CONFIG_HELP}
Exit codes
  0  listed    2  something in acp.json is wrong; the rest is listed
`;

interface Row {
  readonly name: string;
  readonly state: string;
  readonly command: readonly string[];
  readonly description: string;
}

export const acpList: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("list", args);
    refuseWords("list", given, 0);
    const { servers, problems } = await loadServers(io);
    if (given.has("--names")) {
      io.stdout.write(servers.map(({ name }) => `${name}\n`).join(""));
      return 0;
    }
    const rows = servers.map(
      (server): Row => ({
        name: server.name,
        state: stateOf(readStatus(io.cwd, server.name)),
        command: [server.command, ...server.args],
        description: server.description,
      }),
    );
    if (given.has("--json")) io.stdout.write(`${JSON.stringify({ servers: rows, problems }, null, 2)}\n`);
    else if (rows.length > 0) io.stdout.write(tableOf(rows));
    else if (problems.length === 0) io.stdout.write(NO_AGENTS);
    for (const problem of problems) io.stderr.write(`agentao acp list: ${problem}\n`);
    return problems.length === 0 ? 0 : 2;
  },
};

function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, state, command, description }) =>
      `${name.padEnd(width)}  ${state.padEnd(12)}  ${description || command.join(" ")}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
