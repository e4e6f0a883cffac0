// Connects a front to an agent: to our own runtime, in this process and over memory, or to any ACP agent, as a process
// of its own. What comes after is the same for both.

import { AcpClient, type ClientHandlers, type ClientOptions, memoryPair } from "@agentao/acp";
import type { Overlay } from "../runtime/create-program.ts";
import { version } from "../version.ts";
import { type Front, NoSession, type SessionWish } from "./front.ts";
import { createLoan, type Lent } from "./loan.ts";
import { openSession } from "./open-session.ts";

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly isCwdGiven: boolean;
  readonly session: SessionWish;
  /** Ends the wait for the session, not the session. */
  readonly signal: AbortSignal;
  /** What the front does for its agent. */
  readonly handlers: ClientHandlers;
  /** What another agent may use of this machine besides reading the session's folder. Our own has all it needs. */
  readonly lends?: readonly Lent[] | undefined;
}

/** How long our own runtime may take to end its turns and let go of its files. */
const CLOSE_MS = 900;

/** How long another agent may take to end by itself, and again after it was told to. */
const GRACE_MS = 1_000;

/** What every front can show. */
const CLIENT: ClientOptions = {
  info: { name: "agentao", title: "Agentao", version },
  capabilities: { session: { notices: {}, compaction: {} } },
};

/** The runtime of this program. Nothing is started; closing the front closes it. */
export async function connectOwn(options: ConnectOptions, overlay?: Overlay): Promise<Front> {
  const [{ serveAcp }, { createProgram }] = await Promise.all([
    import("@agentao/agent/serve"),
    import("../runtime/create-program.ts"),
  ]);
  const program = createProgram(options.env, overlay);
  const [ours, theirs] = memoryPair();
  const agent = serveAcp(program.runtime, theirs, {
    info: { name: "agentao", title: "Agentao", version },
    onDiagnostic: (message) => program.log(message),
  });
  const client = new AcpClient(ours, options.handlers, CLIENT);
  const end = async (): Promise<void> => {
    await client.close();
    await agent.close();
    await program.close();
  };
  return open(client, options, { isOwn: true, end: () => within(end(), CLOSE_MS) });
}

/** Another agent, by its command. Its process group ends with the front. */
export async function connectOther(command: readonly string[], options: ConnectOptions): Promise<Front> {
  const { spawnAgent } = await import("@agentao/acp/node");
  const { cwd, env, lends = [] } = options;
  let folder = cwd;
  const loan = await createLoan({ lends, folder: () => folder, env, graceMs: GRACE_MS });
  const handlers = { ...loan.handlers, ...options.handlers };
  const client = await spawnAgent(command, handlers, { ...CLIENT, cwd, env, graceMs: GRACE_MS });
  const end = async (): Promise<void> => {
    await Promise.all([client.close(), loan.close()]);
  };
  const front = await open(client, options, { isOwn: false, end });
  folder = front.cwd;
  return front;
}

interface Ownership {
  readonly isOwn: boolean;
  end(): Promise<void>;
}

async function open(client: AcpClient, options: ConnectOptions, { isOwn, end }: Ownership): Promise<Front> {
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ending ??= end();
    return ending;
  };
  try {
    const agent = await client.initialize({}, { signal: options.signal });
    const session = await openSession(client, options.session, options);
    const agentName = agent.agentInfo?.title ?? agent.agentInfo?.name ?? "the agent";
    return { client, ...session, agentName, isOwn, capabilities: agent.agentCapabilities ?? {}, close };
  } catch (cause) {
    await close();
    const isMissing = isOwn && cause instanceof NoSession;
    throw isMissing ? new NoSession(`${cause.message}; agentao sessions --all lists those there are`) : cause;
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
