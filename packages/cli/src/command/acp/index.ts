// `agentao acp …`: driving other ACP agents, and looking at what passes between any client and any agent.

import type { Io } from "../../io/io.ts";
import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { didYouMean } from "../../text/nearest.ts";
import { acpWords } from "./words.ts";

const tools: Readonly<Record<string, { load(): Promise<Command> }>> = {
  list: { load: async () => (await import("./list.ts")).acpList },
  start: { load: async () => (await import("./start.ts")).acpStart },
  stop: { load: async () => (await import("./stop.ts")).acpStop },
  status: { load: async () => (await import("./status.ts")).acpStatus },
  logs: { load: async () => (await import("./logs.ts")).acpLogs },
  send: { load: async () => (await import("./send.ts")).acpSend },
  proxy: { load: async () => (await import("./proxy.ts")).acpProxy },
  replay: { load: async () => (await import("./replay.ts")).acpReplay },
  inspect: { load: async () => (await import("./inspect.ts")).acpInspect },
};

const help = `agentao acp: drive other ACP agents, look at what passes between clients and agents

Usage
  agentao acp list | status [NAME]
  agentao acp send NAME PROMPT
  agentao acp start NAME… | start --all | stop NAME… | logs NAME
  agentao acp proxy [--record FILE] -- COMMAND ARGS…
  agentao acp inspect FILE
  agentao acp replay FILE -- COMMAND ARGS…
  agentao acp replay FILE --as agent

Drive agents that are named in .agentao/acp.json
  list      Which agents are configured, and what they are doing.
  status    The same in detail: process, restarts, what went wrong last.
  send      Ask an agent one thing, and print what it says.
  start     Run agents in the foreground, start them again when they die, and let every send
            use them.
  stop      End what start runs.
  logs      The last lines an agent wrote to stderr.

Look at any agent and any client
  proxy     Stand between them: hand on every byte, say what breaks the protocol, record it all
            without secrets.
  inspect   Print a recording: time, direction, method, latency, breaches, totals.
  replay    Play a recording again, against an agent or against a client, and say what is
            different now.

Options
  -h, --help  Show this. Each has help of its own: agentao acp proxy --help

Examples
  agentao acp send reviewer "What does src/main.ts do?"
  agentao acp proxy --record session.jsonl -- my-agent --acp
      As the command of an agent in an editor's settings.
  agentao acp inspect session.jsonl --breaches
  agentao acp replay session.jsonl -- my-agent --acp
      Is the new version still the same?

Files
  .agentao/acp.json in a project, acp.json in AGENTAO_HOME (~/.agentao); a project's agent goes
  first:
  { "servers": { "reviewer": {
      "command": "my-agent", "args": ["--acp"], "env": { "KEY": "$MY_KEY" }, "cwd": "." } } }

Exit codes
  Each tool's help has its own; 2 when the command line makes no sense.
`;

export const acpTools: Command = {
  help,
  options: [{ name: "--help", short: "-h", summary: "Show this." }],
  subcommands: acpWords,
  helpOf: async (name) => (await tools[name]?.load())?.help,
  async run(args, io) {
    const [name, ...rest] = args;
    if (name === undefined) throw new UsageError("acp needs to know what to do: list, send, proxy…");
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) throw new UsageError(`acp does not know "${name}"${didYouMean(name, Object.keys(tools))}`);
    return runTool(await tool.load(), rest, io);
  },
};

/** Help counts only before `--`: what follows belongs to somebody else's command. */
async function runTool(command: Command, args: readonly string[], io: Io): Promise<number> {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (!own.some((arg) => arg === "--help" || arg === "-h")) return command.run(args, io);
  io.stdout.write(command.help);
  return 0;
}
