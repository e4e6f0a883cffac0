// An agent of acp.json as a process: past the handshake, with a session, whoever drives it.

import { type ClientHandlers, errorCodes, LocalError, RpcError } from "@agentao/acp";
import { type SpawnedClient, spawnAgent } from "@agentao/acp/node";
import { messageOf } from "../text/message-of.ts";
import { version } from "../version.ts";
import { DriveFault } from "./drive-fault.ts";
import { type Lending, lend } from "./lending.ts";
import { type Place, toLaunch } from "./load-servers.ts";
import type { ServerConfig } from "./server-config.ts";
import { Silence } from "./silence.ts";

export interface DriveOptions {
  /** Hears what the agent writes to stderr, and what is wrong with what it says. Must not throw. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Tells when the process is there and the handshake begins. */
  readonly onStarted?: ((pid: number) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface StartedServer {
  readonly client: SpawnedClient;
  readonly sessionId: string;
  /** To be closed after the client. */
  readonly lent: Lending;
  readonly silence: Silence;
}

/** What is wrong with an agent is known after so many examples; its log is for its own words, too. */
const MAX_NOTICED = 50;

/** Throws a `DriveFault`; nothing is left running then. */
export async function startServer(
  server: ServerConfig,
  place: Place,
  handlers: ClientHandlers,
  options: DriveOptions,
): Promise<StartedServer> {
  const { command, cwd, env } = toLaunch(server, place);
  const silence = new Silence();
  const lent = lend(server.lend, { cwd, env, silence });
  let strange = 0;
  let noticed = 0;
  let client: SpawnedClient;
  try {
    client = await spawnAgent(
      command,
      { ...lent.handlers, ...handlers },
      {
        ...{ cwd, env, onStderr: options.onStderr, info: { name: "agentao", title: "Agentao", version } },
        onDiagnostic: ({ type, message }) => {
          if (type === "garbage") strange++;
          if (++noticed > MAX_NOTICED) return;
          const last = noticed === MAX_NOTICED ? " More of this is not written down." : "";
          options.onStderr?.(`[agentao] ${message}${last}\n`);
        },
      },
    );
  } catch (cause) {
    throw new DriveFault("process_start_fail", `${server.name}: ${messageOf(cause)}`, { cause });
  }
  options.onStarted?.(client.process.pid);
  try {
    const waits = { timeoutMs: server.startupTimeoutMs, signal: options.signal };
    await client.initialize({}, waits);
    const { sessionId } = await client.newSession({ cwd }, waits);
    return { client, sessionId, lent, silence };
  } catch (cause) {
    await client.close();
    await lent.close();
    throw new DriveFault("handshake_fail", explainHandshake(server, cause as Error, strange), { cause });
  }
}

function explainHandshake({ name, startupTimeoutMs }: ServerConfig, cause: Error, strange: number): string {
  if (cause instanceof RpcError && cause.code === errorCodes.authRequired) {
    return `${name} wants you to sign in first: ${cause.message}. Start it by hand once, and sign in.`;
  }
  if (cause instanceof LocalError && cause.type === "timeout") {
    const todo =
      strange === 0
        ? "Raise startupTimeoutMs in acp.json, or look at its logs."
        : "What it writes to stdout is not ACP: does it need an option such as --acp in args?";
    return `${name} did not come up in ${startupTimeoutMs} ms: ${cause.message}. ${todo}`;
  }
  return `${name} did not come up: ${cause.message}`;
}
