// Opens a link to a server, in the version of the protocol that it speaks.

import type { Client } from "@modelcontextprotocol/client";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { createClient, listenForChanges } from "./client.ts";
import { Failure, toFailure } from "./failure.ts";
import { type Library, loadLibrary } from "./library.ts";
import type { Link, LinkRoom, OpenLink } from "./link.ts";
import type { ServerConfig } from "./server.ts";
import { openWay, type Way } from "./way.ts";

/** The longest a timer can wait: as good as no limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Rejects with a `Failure`; then nothing is left of it. */
export const openLink: OpenLink = async (config, room, signal) => {
  const library = await loadLibrary();
  const { transport } = config;
  try {
    return await open(config, room, signal, library, "legacy");
  } catch (error) {
    if (transport.type !== "http" || !(error instanceof Failure)) throw error;
    // To probe first would cost every other server a round trip, and start those over stdio twice.
    if (SPEAKS_ONLY_THE_NEWEST.test(error.message)) return open(config, room, signal, library, "auto");
    if (!MAY_BE_AN_EVENT_STREAM.test(error.message)) throw error;
    const older: ServerConfig = { ...config, transport: { ...transport, type: "sse" } };
    return open(older, room, signal, library, "legacy").catch(() => Promise.reject(error));
  }
};

/** It refuses the handshake that all versions of the protocol know but the newest. */
const SPEAKS_ONLY_THE_NEWEST = /unsupported protocol version/i;
/** What servers of the oldest kind say to a message that is sent to where they stream events (MCP, backwards compatibility). */
const MAY_BE_AN_EVENT_STREAM = /\bHTTP 40[45]\b/;

async function open(
  config: ServerConfig,
  room: LinkRoom,
  signal: AbortSignal,
  library: Library,
  mode: "legacy" | "auto",
): Promise<Link> {
  const way = openWay(config, room, library);
  const client = createClient(library, config, room, mode);
  let isOpen = false;
  let isClosed = false;
  const drop = (why: string): void => {
    if (!isOpen || isClosed) return;
    isOpen = false;
    room.onDrop(why);
  };
  way.onLost = drop;
  client.onclose = () => drop(way.death() ?? "the connection was closed");
  // What is wrong with single messages is for the log; what is wrong with a call is told to whoever made it.
  client.onerror = (error) => {
    if (isClosed || signal.aborted) return;
    room.log(error.message);
    if (config.transport.type === "sse" && "event" in error) drop("the event stream broke");
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await way.close();
  };

  try {
    const connected = await orAborted(client.connect(way.transport, { timeout: NO_LIMIT_MS }), signal);
    if (connected === ABORTED) throw new Failure("cancelled", "the connection was given up");
  } catch (error) {
    // The death of a server is its own end, and told when that is known.
    await close();
    throw way.death() === undefined ? toFailure(error) : new Failure("dropped", `it ${way.death()}`);
  }
  isOpen = true;
  if (client.getProtocolEra() === "modern") void listenForChanges(client, room);
  return { offers: offersOf(client), request: (...asked) => request(client, way, ...asked), close };
}

function offersOf(client: Client): Link["offers"] {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined };
}

async function request(
  client: Client,
  way: Way,
  ...[method, params, { signal, timeoutMs = NO_LIMIT_MS, onProgress }]: Parameters<Link["request"]>
): Promise<unknown> {
  way.busy(1);
  try {
    // Of its own: a turn has one signal and may have many calls, and listeners in such numbers look like a leak.
    const own = AbortSignal.any([signal]);
    const options = { signal: own, timeout: timeoutMs, ...(onProgress && { onprogress: onProgress }) };
    return await client.request({ method, params }, AS_IT_IS, options);
  } catch (error) {
    const failure = toFailure(error);
    if (signal.aborted) throw new Failure("cancelled", "the call was cancelled");
    if (failure.kind === "dropped" && way.death() !== undefined) {
      throw new Failure("dropped", `the server ${way.death()}`);
    }
    throw failure;
  } finally {
    way.busy(-1);
  }
}

/** Results are read by us: a library that refuses a list for one odd tool in it helps nobody. */
const AS_IT_IS = {
  "~standard": { version: 1, vendor: "agentao", validate: (value: unknown) => ({ value }) },
} as const;
