// `agentao acp start`: runs named agents in the foreground, and lets every send use them.

import { findServerToRun, needConsent } from "../../drive/agent-consent.ts";
import { DriveFault } from "../../drive/drive-fault.ts";
import { loadServers } from "../../drive/load-servers.ts";
import type { ServerConfig } from "../../drive/server-config.ts";
import { readStatus } from "../../drive/server-state.ts";
import { supervise } from "../../drive/supervise.ts";
import type { Io } from "../../io/io.ts";
import type { Command } from "../../manual/command.ts";
import { type Given, parseArguments } from "./arguments.ts";
import { CONFIG_HELP, needNames, refuseWords, told } from "./named.ts";

const help = `agentao acp start: run named agents, and let every send use them

Usage
  agentao acp start NAME…
  agentao acp start --all

Stays in the foreground until Ctrl-C or agentao acp stop NAME. An agent that dies is started
again, at most maxRecoverableRestarts times in a row; a turn that goes well sets the count back.
Not started again: one that was killed by a signal outside a turn (as when memory runs out), and
one that did not come up twice in a row. One that goes on with a turn that was cancelled is ended
and started again. What it writes to stderr is kept: agentao acp logs NAME.

Options
  --all       Every agent of acp.json but those with "autoStart": false.
  -h, --help  Show this.

${CONFIG_HELP}
Exit codes
  0  stopped    1  one failed for good, or runs already    2  there is no NAME
`;

export const acpStart: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("start", args);
    return told("start", io, async () => {
      const servers = await findServers(given, io);
      const codes = await Promise.all(servers.map((server) => told("start", io, () => run(server, io))));
      return Math.max(...codes);
    });
  },
};

async function findServers(given: Given, io: Io): Promise<readonly ServerConfig[]> {
  if (!given.has("--all")) return Promise.all(needNames("start", given).map((name) => findServerToRun(name, io)));
  refuseWords("start", given, 0);
  const { servers, problems } = await loadServers(io);
  if (problems.length > 0) throw new DriveFault("config_invalid", problems.join("\n"));
  const wanted = servers.filter(({ autoStart }) => autoStart);
  if (wanted.length === 0)
    throw new DriveFault("server_not_found", "there is no agent to start: name one in .agentao/acp.json.");
  await Promise.all(wanted.map((server) => needConsent(server, io)));
  return wanted;
}

async function run(server: ServerConfig, io: Io): Promise<number> {
  const { name } = server;
  const supervised = readStatus(io.cwd, name);
  if (supervised.type === "running") {
    const { pid } = supervised.status;
    throw new DriveFault("server_busy", `${name} runs already (pid ${pid}). End it: agentao acp stop ${name}`);
  }
  const fault = await supervise(server, io, {
    signal: io.signal,
    tell: (message) => void io.stderr.write(`agentao acp start: ${message}\n`),
  });
  if (fault !== undefined) throw fault;
  return 0;
}
