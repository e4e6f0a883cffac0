// `agentao acp logs`: what a named agent wrote to stderr.

import { followLog } from "../../drive/follow-log.ts";
import { findServer } from "../../drive/load-servers.ts";
import { lastLines } from "../../drive/server-log.ts";
import { readStatus } from "../../drive/server-state.ts";
import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { parseArguments } from "./arguments.ts";
import { needName, told } from "./named.ts";

const LOG_LINES = 200;

const help = `agentao acp logs: the last lines an agent wrote to stderr

Usage
  agentao acp logs NAME [--lines N] [--follow]

Options
  -n, --lines N   How many. Default: ${LOG_LINES}.
  -f, --follow    Go on with what it writes from now on, until Ctrl-C.
  -h, --help      Show this.

Kept in .agentao/acp/NAME.log, without what looks like a key. Lines that begin with [agentao] say
what was wrong with what the agent wrote to stdout.

Exit codes
  0  printed    2  there is no NAME
`;

export const acpLogs: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("logs", args);
    const name = needName("logs", given);
    const count = Number(given.text("--lines") ?? LOG_LINES);
    if (!Number.isInteger(count) || count < 0) throw new UsageError("acp logs: --lines is a number");
    return told("logs", io, async () => {
      if (readStatus(io.cwd, name).type === "never" && lastLines(io.cwd, name, 1).length === 0)
        await findServer(name, io);
      for (const line of count === 0 ? [] : lastLines(io.cwd, name, count)) io.stdout.write(`${line}\n`);
      if (!given.has("--follow")) return 0;
      // Whoever reads only the beginning has read enough.
      const unread = new AbortController();
      io.stdout.once("error", () => unread.abort());
      const until = AbortSignal.any([io.signal, unread.signal]);
      await followLog(io.cwd, name, (bytes) => void io.stdout.write(bytes), until);
      return 0;
    });
  },
};
