// `agentao acp list|start|stop|status|logs`: the agents named in acp.json, and those that run.

import { watch } from "node:fs";
import { open, stat } from "node:fs/promises";
import { DriveFault, toExitCode } from "../drive/drive-fault.ts";
import { findServer, loadServers } from "../drive/load-servers.ts";
import { lastLines, logPath } from "../drive/server-log.ts";
import { readStatus, runFolder, type ServerStatus, type Supervised } from "../drive/server-state.ts";
import { supervise } from "../drive/supervise.ts";
import { type Given, parseArguments } from "./acp-arguments.ts";
import { type Command, type Io, UsageError } from "./command.ts";

const CONFIG = `Configuration
  .agentao/acp.json in the project, and acp.json in AGENTAO_HOME (~/.agentao) for all of them:
  { "servers": { "NAME": {
      "command": "my-agent", "args": ["--acp"],   what to start
      "env": { "KEY": "$MY_KEY" },   laid over the environment; $NAME and \${NAME} are filled in
      "cwd": ".",                                 relative to the project
      "description": "reviews code",
      "startupTimeoutMs": 10000,                  for the handshake
      "requestTimeoutMs": 60000,                  how long it may be silent in a turn
      "maxRecoverableRestarts": 3,                how often start starts it again
      "nonInteractivePolicy": { "mode": "reject_all" },   or accept_all: what it is answered when
                                                  it asks for permission
      "lend": ["read", "write", "terminal"]       what it may do through us, inside cwd
  } } }
`;

export const acpList: Command = {
  help: `agentao acp list: which agents are configured, and what they are doing

Usage
  agentao acp list [--json | --names]

Options
  --json      For programs.
  --names     Only the names, one in a line.
  -h, --help  Show this.

${CONFIG}
Exit codes
  0  listed    2  something in acp.json is wrong; the rest is listed
`,
  async run(args, io) {
    const given = parseArguments("list", args, { json: { type: "boolean" }, names: { type: "boolean" } });
    refuseWords("list", given, 0);
    const { servers, problems } = await loadServers(io);
    if (given.has("names")) {
      io.stdout.write(servers.map(({ name }) => `${name}\n`).join(""));
      return 0;
    }
    const rows = servers.map((server) => {
      const supervised = readStatus(io.cwd, server.name);
      return {
        name: server.name,
        state: stateOf(supervised),
        command: [server.command, ...server.args],
        description: server.description,
      };
    });
    if (given.has("json")) io.stdout.write(`${JSON.stringify({ servers: rows, problems }, null, 2)}\n`);
    else io.stdout.write(rows.length === 0 ? NONE : tableOf(rows));
    for (const problem of problems) io.stderr.write(`agentao acp list: ${problem}\n`);
    return problems.length === 0 ? 0 : 2;
  },
};

const NONE = 'No agents are configured. Name one in .agentao/acp.json; "agentao acp list --help" shows how.\n';

function tableOf(
  rows: readonly { name: string; state: string; command: readonly string[]; description: string }[],
): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, state, command, description }) =>
      `${name.padEnd(width)}  ${state.padEnd(12)}  ${description || command.join(" ")}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

export const acpStatus: Command = {
  help: `agentao acp status: what agents are doing

Usage
  agentao acp status [NAME] [--json]

States: configured, starting, initializing, ready, busy, stopping, stopped, failed. The last error
stays until there is another: read the state first.

Options
  --json      For programs.
  -h, --help  Show this.

Exit codes
  0  told    1  NAME has failed    2  there is no NAME
`,
  async run(args, io) {
    const given = parseArguments("status", args, { json: { type: "boolean" } });
    refuseWords("status", given, 1);
    return told("status", io, async () => {
      const [name] = given.words;
      const servers = name === undefined ? (await loadServers(io)).servers : [await findServer(name, io)];
      const all = servers.map((server) => {
        const supervised = readStatus(io.cwd, server.name);
        return { name: server.name, supervised };
      });
      if (given.has("json")) {
        const json = all.map((one) => ({
          ...statusOf(one.supervised),
          name: one.name,
          state: stateOf(one.supervised),
        }));
        io.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
      } else {
        io.stdout.write(all.map((one) => describe(one.name, one.supervised)).join("\n") || NONE);
      }
      return name !== undefined && all.some(({ supervised }) => stateOf(supervised) === "failed") ? 1 : 0;
    });
  },
};

export const acpStart: Command = {
  help: `agentao acp start: run a named agent, and let every send use it

Usage
  agentao acp start NAME

Stays in the foreground until Ctrl-C or agentao acp stop NAME. An agent that dies is started
again, at most maxRecoverableRestarts times in a row; a turn that goes well sets the count back.
Not started again: one that was killed by a signal outside a turn (as when memory runs out), and
one that did not come up twice in a row. What it writes to stderr is kept: agentao acp logs NAME.

${CONFIG}
Exit codes
  0  it was stopped    1  it failed for good, or it runs already    2  there is no NAME
`,
  async run(args, io) {
    const given = parseArguments("start", args, {});
    refuseWords("start", given, 1);
    const name = needName("start", given);
    return told("start", io, async () => {
      const server = await findServer(name, io);
      const supervised = readStatus(io.cwd, name);
      if (supervised.type === "running") {
        throw new DriveFault(
          "server_busy",
          `${name} runs already (pid ${supervised.status.pid}). End it: agentao acp stop ${name}`,
        );
      }
      const fault = await supervise(server, io, {
        signal: io.signal,
        tell: (message) => void io.stderr.write(`agentao acp start: ${message}\n`),
      });
      if (fault !== undefined) throw fault;
      return 0;
    });
  },
};

/** After this long something is wrong with it; it is left to whoever looks. */
const STOP_MS = 10_000;

export const acpStop: Command = {
  help: `agentao acp stop: end what agentao acp start runs

Usage
  agentao acp stop NAME

Ends the agent in steps: end of input, SIGTERM, SIGKILL. One that does not run is as stopped as it
can be.

Exit codes
  0  it does not run any more    1  it does not end    2  there is no NAME
`,
  async run(args, io) {
    const given = parseArguments("stop", args, {});
    refuseWords("stop", given, 1);
    const name = needName("stop", given);
    return told("stop", io, async () => {
      const supervised = readStatus(io.cwd, name);
      if (supervised.type !== "running") {
        if (supervised.type === "never") await findServer(name, io);
        io.stdout.write(`${name} does not run.\n`);
        return 0;
      }
      process.kill(supervised.status.pid, "SIGTERM");
      const deadline = performance.now() + STOP_MS;
      while (readStatus(io.cwd, name).type === "running" && performance.now() < deadline && !io.signal.aborted)
        await pause(25);
      const isOver = readStatus(io.cwd, name).type !== "running";
      io.stdout.write(isOver ? `${name} is stopped.\n` : `${name} does not end (pid ${supervised.status.pid}).\n`);
      return isOver ? 0 : 1;
    });
  },
};

const LOG_LINES = 200;

export const acpLogs: Command = {
  help: `agentao acp logs: the last lines an agent wrote to stderr

Usage
  agentao acp logs NAME [--lines N] [--follow]

Options
  -n, --lines N   How many. Default: ${LOG_LINES}.
  -f, --follow    Go on with what it writes from now on, until Ctrl-C.
  -h, --help      Show this.

Kept in .agentao/acp/NAME.log, without what looks like a key.

Exit codes
  0  printed    2  there is no NAME
`,
  async run(args, io) {
    const given = parseArguments("logs", args, {
      lines: { type: "string", short: "n" },
      follow: { type: "boolean", short: "f" },
    });
    refuseWords("logs", given, 1);
    const name = needName("logs", given);
    const count = Number(given.text("lines") ?? LOG_LINES);
    if (!Number.isInteger(count) || count < 0) throw new UsageError("acp logs: --lines is a number");
    return told("logs", io, async () => {
      if (readStatus(io.cwd, name).type === "never" && lastLines(io.cwd, name, 1).length === 0)
        await findServer(name, io);
      for (const line of count === 0 ? [] : lastLines(io.cwd, name, count)) io.stdout.write(`${line}\n`);
      if (given.has("follow")) await follow(name, io);
      return 0;
    });
  },
};

/** Prints what is appended. A log that was put aside is left, and the new one read from its beginning. */
async function follow(name: string, io: Io): Promise<void> {
  const path = logPath(io.cwd, name);
  const sizeOf = async (): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
  let at = await sizeOf();
  const print = async (): Promise<void> => {
    const size = await sizeOf();
    if (size < at) at = 0;
    if (size === at) return;
    const file = await open(path);
    try {
      const bytes = Buffer.alloc(size - at);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      at += bytesRead;
      io.stdout.write(bytes.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  };
  let printing = Promise.resolve();
  const look = (): void => {
    printing = printing.then(print).catch(() => {});
  };
  // A watch may miss what happens on some file systems; looking now and then does not.
  const timer = setInterval(look, 500);
  const watcher = watch(runFolder(io.cwd), look);
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  clearInterval(timer);
  watcher.close();
  await printing;
}

// ---- for all of them ----

async function told(tool: string, io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof DriveFault)) throw cause;
    io.stderr.write(`agentao acp ${tool}: ${cause.code}: ${cause.message}\n`);
    return toExitCode(cause.code);
  }
}

function needName(tool: string, { words: [name] }: Given): string {
  if (name === undefined) throw new UsageError(`acp ${tool}: which agent?`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) throw new UsageError(`acp ${tool}: "${name}" is no name of an agent`);
  return name;
}

function refuseWords(tool: string, { words }: Given, most: number): void {
  if (words.length > most) throw new UsageError(`acp ${tool}: unexpected "${words[most]}"`);
}

function stateOf(supervised: Supervised): string {
  switch (supervised.type) {
    case "never":
      return "configured";
    case "stale":
      return "stopped";
    case "running":
    case "over":
      return supervised.status.state;
  }
}

function statusOf(supervised: Supervised): Partial<ServerStatus> {
  if (supervised.type === "never") return {};
  const { pid, agentPid, ...rest } = supervised.status;
  return supervised.type === "running" ? { ...rest, pid, agentPid } : rest;
}

function describe(name: string, supervised: Supervised): string {
  if (supervised.type === "never") return `${name}: configured\n`;
  const { since, restarts, lastError, pid, agentPid } = supervised.status;
  const lines = [
    `${name}: ${stateOf(supervised)} since ${since}`,
    ...(supervised.type === "stale" ? ["  its supervisor died without a word"] : []),
    ...(supervised.type === "running"
      ? [`  supervisor ${pid}, agent ${agentPid ?? "not started"}, restarts ${restarts}`]
      : []),
    ...(lastError === undefined ? [] : [`  last error, ${lastError.at}: ${lastError.code}: ${lastError.message}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
