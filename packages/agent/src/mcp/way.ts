// The way to a server: a child's pipes or HTTP, behind what the protocol library expects.

import type { Transport } from "@modelcontextprotocol/client";
import { toFailure } from "./failure.ts";
import { createHttpFetch } from "./http-fetch.ts";
import { inOrder } from "./in-order.ts";
import type { Library } from "./library.ts";
import type { LinkRoom } from "./link.ts";
import type { ServerConfig } from "./server.ts";
import { createStdioWire } from "./stdio-wire.ts";
import { withWholeAnswers } from "./whole-answers.ts";

export interface Way {
  readonly transport: Transport;
  onLost: (why: string) => void;
  /** How many calls are under way: while there are any, they tell what is wrong. */
  busy(more: 1 | -1): void;
  death(): string | undefined;
  close(): Promise<void>;
}

export function openWay({ transport }: ServerConfig, room: LinkRoom, library: Library): Way {
  let calls = 0;
  const busy = (more: 1 | -1): void => {
    calls += more;
  };
  if (transport.type === "stdio") {
    const wire = inOrder(createStdioWire(transport, room));
    return {
      transport: wire,
      onLost: () => {},
      busy,
      death: () => wire.death(),
      close: () => wire.close(),
    };
  }
  const http = createHttpFetch({
    origin: new URL(transport.url).origin,
    env: room.env,
    headers: transport.headers,
    userAgent: `agentao-mcp/${room.clientInfo.version}`,
    onUnreachable: (cause) => {
      if (calls === 0) way.onLost(toFailure(cause).message);
    },
  });
  const options = { fetch: http.fetch, ...(room.auth && { authProvider: room.auth }) };
  const url = new URL(transport.url);
  const inner =
    transport.type === "http"
      ? new library.StreamableHTTPClientTransport(url, options)
      : new library.SSEClientTransport(url, options);
  let closing: Promise<void> | undefined;
  const way: Way = {
    transport: withWholeAnswers(inner),
    onLost: () => {},
    busy,
    death: () => undefined,
    close() {
      closing ??= leave(inner).finally(() => http.close());
      return closing;
    },
  };
  return way;
}

const GOODBYE_MS = 500;

/** A server that keeps sessions may forget ours; it is told, and not waited for. */
async function leave(inner: { close(): Promise<void>; terminateSession?(): Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([inner.terminateSession?.().catch(() => {}), late]);
  clearTimeout(timer);
  await inner.close().catch(() => {});
}
