// What the tools for named agents share: which agent is meant, how acp.json is written, how an expected failure is told.

import { DriveFault, toExitCode } from "../../drive/drive-fault.ts";
import { isServerName } from "../../drive/server-config.ts";
import type { Io } from "../../io/io.ts";
import { UsageError } from "../../manual/usage-error.ts";
import type { Given } from "./arguments.ts";

export const CONFIG_HELP = `Configuration
  .agentao/acp.json in the project, and acp.json in AGENTAO_HOME (~/.agentao) for all of them:
  { "servers": { "NAME": {
      "command": "my-agent", "args": ["--acp"],   what to start
      "env": { "KEY": "$MY_KEY" },   laid over the environment; $NAME and \${NAME} are filled in
      "cwd": ".",                                 relative to the project
      "description": "reviews code",
      "autoStart": true,                          whether start --all starts it
      "startupTimeoutMs": 10000,                  for the handshake
      "requestTimeoutMs": 60000,                  how long it may be silent in a turn
      "maxRecoverableRestarts": 3,                how often start starts it again
      "nonInteractivePolicy": { "mode": "reject_all" },   or accept_all: what it is answered when
                                                  it asks for permission
      "lend": ["read", "write", "terminal"]       what it may do through us, inside cwd
  } } }
`;

export const NO_AGENTS =
  'No agents are configured. Name one in .agentao/acp.json; "agentao acp list --help" shows how.\n';

/** The exit code of a tool, of which a fault is told on stderr. */
export async function told(tool: string, io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof DriveFault)) throw cause;
    io.stderr.write(`agentao acp ${tool}: ${cause.code}: ${cause.message}\n`);
    return toExitCode(cause.code);
  }
}

export function needName(tool: string, given: Given): string {
  const [name] = needNames(tool, given);
  refuseWords(tool, given, 1);
  return name;
}

export function needNames(tool: string, given: Given): [string, ...string[]] {
  const { words } = given;
  const [name, ...others] = words;
  refuseWords(tool, given, words.length);
  if (name === undefined) throw new UsageError(`acp ${tool}: which agent?`);
  for (const word of words) {
    if (!isServerName(word)) throw new UsageError(`acp ${tool}: "${word}" is no name of an agent`);
  }
  return [name, ...others];
}

export function refuseWords(tool: string, { words, command }: Given, most: number): void {
  const [strange] = [...words.slice(most), ...command];
  if (strange !== undefined) throw new UsageError(`acp ${tool}: unexpected "${strange}"`);
}
