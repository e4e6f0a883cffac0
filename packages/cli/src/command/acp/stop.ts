// `agentao acp stop`: ends what `agentao acp start` runs.

import { setTimeout } from "node:timers/promises";
import { askToStop } from "../../drive/ask-supervisor.ts";
import { DriveFault } from "../../drive/drive-fault.ts";
import { findServer, loadServers } from "../../drive/load-servers.ts";
import { readStatus, type ServerStatus } from "../../drive/server-state.ts";
import { turnSocketPath } from "../../drive/turn-socket.ts";
import type { Io } from "../../io/io.ts";
import { fieldOf } from "../../json/fields.ts";
import type { Command } from "../../manual/command.ts";
import { messageOf } from "../../text/message-of.ts";
import { type Given, parseArguments } from "./arguments.ts";
import { needNames, refuseWords, told } from "./named.ts";

const help = `agentao acp stop: end what agentao acp start runs

Usage
  agentao acp stop NAME…
  agentao acp stop --all

Ends the agent in steps: end of input, SIGTERM, SIGKILL. One that does not run is as stopped as it
can be.

Options
  --all       Every agent of acp.json that runs.
  -h, --help  Show this.

Exit codes
  0  it does not run any more    1  it does not end    2  there is no NAME
`;

/** After this long something is wrong with it; it is left to whoever looks. */
const STOP_MS = 10_000;
const LOOK_MS = 25;

export const acpStop: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("stop", args);
    const names = given.has("--all") ? await findRunning(given, io) : needNames("stop", given);
    if (names.length === 0) io.stdout.write("No agent runs here.\n");
    const codes = await Promise.all(names.map((name) => told("stop", io, () => stop(name, io))));
    return Math.max(0, ...codes);
  },
};

async function findRunning(given: Given, io: Io): Promise<readonly string[]> {
  refuseWords("stop", given, 0);
  const { servers } = await loadServers(io);
  return servers.map(({ name }) => name).filter((name) => readStatus(io.cwd, name).type === "running");
}

async function stop(name: string, io: Io): Promise<number> {
  const supervised = readStatus(io.cwd, name);
  if (supervised.type !== "running") {
    if (supervised.type === "never") await findServer(name, io);
    io.stdout.write(`${name} does not run.\n`);
    return 0;
  }
  const { status } = supervised;
  if (!(await askToStop(turnSocketPath(io.cwd, name)))) signalSupervisor(status);
  const isRunning = (): boolean => readStatus(io.cwd, name).type === "running";
  for (
    const deadline = performance.now() + STOP_MS;
    isRunning() && performance.now() < deadline && !io.signal.aborted;
  ) {
    await setTimeout(LOOK_MS);
  }
  const isOver = !isRunning();
  io.stdout.write(isOver ? `${name} is stopped.\n` : `${name} does not end (pid ${status.pid}).\n`);
  return isOver ? 0 : 1;
}

/** For one that cannot be asked, if it is certain whose process that is. */
function signalSupervisor({ name, pid, startedAt }: ServerStatus): void {
  if (startedAt === undefined) {
    throw new DriveFault(
      "server_busy",
      `${name} does not answer. Look whether process ${pid} is its supervisor, and end it.`,
    );
  }
  try {
    process.kill(pid, "SIGTERM");
  } catch (cause) {
    if (fieldOf(cause, "code") === "ESRCH") return;
    throw new DriveFault(
      "server_busy",
      `${name} runs as process ${pid}, which cannot be ended from here: ${messageOf(cause)}`,
    );
  }
}
