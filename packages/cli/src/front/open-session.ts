// Opens the session a front wants, in the words every ACP agent knows.

import { type AcpClient, errorCodes, RpcError, type SessionInfo } from "@agentao/acp";
import { type Front, NoSession, type SessionWish } from "./front.ts";

export interface OpenOptions {
  readonly cwd: string;
  /** Somebody named the folder: a stored session is opened there, not where it was. */
  readonly isCwdGiven: boolean;
  readonly signal: AbortSignal;
}

type OpenedSession = Pick<Front, "sessionId" | "cwd" | "configOptions" | "modeIds">;

/** Nobody looks through more sessions for the beginning of an id. */
const MAX_LISTED = 5_000;

/** Throws `NoSession` for a wish that cannot be had, else what the agent answered. */
export async function openSession(client: AcpClient, wish: SessionWish, options: OpenOptions): Promise<OpenedSession> {
  if (wish.type === "new") {
    const opened = await client.newSession({ cwd: options.cwd }, { signal: options.signal });
    return { sessionId: opened.sessionId, cwd: options.cwd, ...choicesOf(opened) };
  }
  const { sessionId, cwd } = await findSession(client, wish, options);
  const place = { sessionId, cwd: options.isCwdGiven ? options.cwd : (cwd ?? options.cwd) };
  const opened = await goOn(client, place, options.signal);
  return { ...place, ...choicesOf(opened) };
}

interface Found {
  readonly sessionId: string;
  readonly cwd: string | undefined;
}

async function findSession(
  client: AcpClient,
  wish: Exclude<SessionWish, { type: "new" }>,
  { cwd, signal }: OpenOptions,
): Promise<Found> {
  const canList = client.agentSupports("sessionCapabilities.list");
  if (wish.type === "newest") {
    if (!canList) throw new NoSession("this agent cannot list its sessions; name one with --resume ID");
    const { sessions } = await client.listSessions({ cwd }, { signal });
    const newest = sessions.reduce<SessionInfo | undefined>(later, undefined);
    if (newest === undefined) throw new NoSession(`there is no session in ${cwd} to go on with`);
    return { sessionId: newest.sessionId, cwd: newest.cwd };
  }
  if (!canList) return { sessionId: wish.id, cwd: undefined };
  return lookUp(client, wish.id);
}

/** One that is not listed may be there all the same: the agent has the last word. */
async function lookUp(client: AcpClient, id: string): Promise<Found> {
  const begun: SessionInfo[] = [];
  let listed = 0;
  for await (const session of client.allSessions()) {
    if (session.sessionId === id) return { sessionId: id, cwd: session.cwd };
    if (isBeginning(id, session.sessionId)) begun.push(session);
    if (++listed >= MAX_LISTED) break;
  }
  const [only, another] = begun;
  if (another !== undefined) throw new NoSession(`more than one session begins with "${id}"; write more of its id`);
  return { sessionId: only?.sessionId ?? id, cwd: only?.cwd };
}

/** With or without the part that all ids have. */
function isBeginning(start: string, id: string): boolean {
  return start !== "" && (id.startsWith(start) || id.startsWith(`sess_${start}`));
}

function later(newest: SessionInfo | undefined, session: SessionInfo): SessionInfo {
  return newest === undefined || (session.updatedAt ?? "") > (newest.updatedAt ?? "") ? session : newest;
}

/** Without a replay where the agent can; nobody here shows it. */
async function goOn(client: AcpClient, place: { sessionId: string; cwd: string }, signal: AbortSignal) {
  try {
    if (client.agentSupports("sessionCapabilities.resume")) return await client.resumeSession(place, { signal });
    if (client.agentSupports("loadSession")) return await client.loadSession(place, { signal });
  } catch (cause) {
    if (!(cause instanceof RpcError) || cause.code !== errorCodes.resourceNotFound) throw cause;
    throw new NoSession(`there is no session "${place.sessionId}"`);
  }
  throw new NoSession("this agent cannot go on with a stored session");
}

type Choices = Pick<OpenedSession, "configOptions" | "modeIds">;

function choicesOf({
  configOptions,
  modes,
}: {
  readonly configOptions?: Front["configOptions"] | null | undefined;
  readonly modes?: { readonly availableModes: readonly { readonly id: string }[] } | null | undefined;
}): Choices {
  return { configOptions: configOptions ?? [], modeIds: modes?.availableModes.map(({ id }) => id) ?? [] };
}
