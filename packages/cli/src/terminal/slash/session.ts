// Commands that put another session in the place of this one.

import {
  type AcpClient,
  errorCodes,
  RpcError,
  type SessionConfigOption,
  type SessionInfo,
  type SessionModeState,
} from "@agentao/acp";
import { toClock } from "../../text/when.ts";
import type { OpenedSession } from "../conversation.ts";
import { type CommandRoom, type Reply, tell, warn } from "./command.ts";
import { findSelectable } from "./option.ts";

const MAX_LISTED = 200;
const CATEGORIES = ["model", "mode"] as const;
const BUSY = "A turn is running; stop it with Esc first.";

export async function pickSession(_: string, room: CommandRoom): Promise<Reply> {
  const { client, conversation, choose } = room;
  if (!client.agentSupports("sessionCapabilities.list")) return warn("This agent does not list its sessions.");
  const sessions: SessionInfo[] = [];
  for await (const session of client.allSessions({ cwd: conversation.cwd })) {
    if (session.sessionId !== conversation.sessionId) sessions.push(session);
    if (sessions.length >= MAX_LISTED) break;
  }
  if (sessions.length === 0) return tell("There is no other session in this folder.");
  const choices = sessions.map(({ sessionId, title, updatedAt }) => ({
    id: sessionId,
    label: title ?? sessionId,
    detail: toWhen(updatedAt),
  }));
  const id = await choose("Go on with which session?", choices);
  return id === undefined ? undefined : openStored(id, room);
}

/** As clocks here show it; nothing for what is no time. */
function toWhen(iso: string | null | undefined): string | undefined {
  const at = Date.parse(iso ?? "");
  return Number.isNaN(at) ? undefined : toClock(at);
}

/** By its id, or by the beginning of it. */
export async function resumeSession(argument: string, room: CommandRoom): Promise<Reply> {
  if (argument === "") return pickSession("", room);
  const begun: SessionInfo[] = [];
  if (room.client.agentSupports("sessionCapabilities.list")) {
    for await (const session of room.client.allSessions()) {
      if (session.sessionId === argument) return openStored(argument, room, session.cwd);
      const isBegun = session.sessionId.startsWith(argument) || session.sessionId.startsWith(`sess_${argument}`);
      if (isBegun) begun.push(session);
      if (begun.length > 1) return warn(`More than one session begins with "${argument}"; write more of its id.`);
    }
  }
  return openStored(begun[0]?.sessionId ?? argument, room, begun[0]?.cwd);
}

async function openStored(sessionId: string, room: CommandRoom, cwd = room.conversation.cwd): Promise<Reply> {
  const { client, conversation } = room;
  const canOpen = client.agentSupports("loadSession") || client.agentSupports("sessionCapabilities.resume");
  if (!canOpen) return warn("This agent cannot go on with a stored session.");
  if (conversation.runningMs !== undefined) return warn(BUSY);
  const { sessionId: left, cwd: before } = conversation;
  if (sessionId === left) return tell("This is that session.");
  try {
    await conversation.replace(sessionId, () => loadSession(client, sessionId, cwd));
  } catch (cause) {
    if (!(cause instanceof RpcError) || cause.code !== errorCodes.resourceNotFound) throw cause;
    return warn(`There is no session "${sessionId}"; /sessions shows those of this folder.`);
  }
  await closeQuietly(client, left);
  return cwd === before ? undefined : tell(`This session works in ${cwd}, and so do you now.`);
}

/** With its replay where the agent can. */
export async function loadSession(client: AcpClient, sessionId: string, cwd: string): Promise<OpenedSession> {
  const canLoad = client.agentSupports("loadSession");
  const opened = canLoad
    ? await client.loadSession({ sessionId, cwd })
    : await client.resumeSession({ sessionId, cwd });
  return toSession(sessionId, cwd, opened);
}

interface Answer {
  readonly configOptions?: readonly SessionConfigOption[] | null | undefined;
  readonly modes?: SessionModeState | null | undefined;
}

function toSession(sessionId: string, cwd: string, { configOptions, modes }: Answer): OpenedSession {
  const modeIds = modes?.availableModes.map(({ id }) => id) ?? [];
  return { sessionId, cwd, configOptions: configOptions ?? [], modeId: modes?.currentModeId, modeIds };
}

export async function forkSession(_: string, { client, conversation }: CommandRoom): Promise<Reply> {
  if (!client.agentSupports("sessionCapabilities.fork")) return warn("This agent cannot copy a session.");
  if (conversation.runningMs !== undefined) return warn(BUSY);
  const { sessionId: left, cwd } = conversation;
  // Not released in the protocol yet, so the client has no method for it.
  const answer = await client.extRequest("session/fork", { sessionId: left, cwd, mcpServers: [] });
  const { sessionId } = (answer ?? {}) as { sessionId?: unknown };
  if (typeof sessionId !== "string") return warn("The agent's answer names no session.");
  // The copy is open without its history; a screen wants to show it.
  await closeQuietly(client, sessionId);
  await conversation.replace(sessionId, () => loadSession(client, sessionId, cwd));
  await closeQuietly(client, left);
  return tell(`This is a copy; the session before it is ${left}.`);
}

/** What was chosen holds on: who looks only is not to write because a new session begins. */
export async function newSession(_: string, room: CommandRoom): Promise<Reply> {
  const { client, conversation } = room;
  if (conversation.runningMs !== undefined) return warn(BUSY);
  const { sessionId: left, cwd } = conversation;
  const chosen = CATEGORIES.map((category) => findSelectable(room, category)?.current);
  const opened = await client.newSession({ cwd });
  await conversation.replace(opened.sessionId, async () => toSession(opened.sessionId, cwd, opened));
  await closeQuietly(client, left);
  for (const [at, category] of CATEGORIES.entries()) {
    const [found, value] = [findSelectable(room, category), chosen[at]];
    if (value !== undefined && value !== found?.current) await found?.set(value);
  }
  return tell(`A new session. The one before it is ${left}.`);
}

async function closeQuietly(client: AcpClient, sessionId: string): Promise<void> {
  if (client.agentSupports("sessionCapabilities.close")) await client.closeSession(sessionId).catch(() => {});
}
