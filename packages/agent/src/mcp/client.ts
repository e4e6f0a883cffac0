// The protocol library's client of one server: what we say of ourselves, and what a server may ask of us.

import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { toFailure } from "./failure.ts";
import type { Library } from "./library.ts";
import type { LinkRoom } from "./link.ts";
import type { ServerConfig } from "./server.ts";
import { fromElicitAnswer, fromSampleAnswer, toElicitRequest, toSampleRequest } from "./to-ask.ts";

export function createClient(
  { Client: NewClient }: Library,
  config: ServerConfig,
  room: LinkRoom,
  mode: "legacy" | "auto",
): Client {
  const { elicit, sample, clientInfo } = room;
  const client = new NewClient(
    { name: clientInfo.name, version: clientInfo.version, ...(clientInfo.title && { title: clientInfo.title }) },
    {
      versionNegotiation: { mode },
      capabilities: {
        roots: {},
        ...(elicit && { elicitation: { form: {}, url: {} } }),
        ...(sample && { sampling: {} }),
      },
    },
  );
  client.setRequestHandler("roots/list", () => ({ roots: room.roots.map(toRoot) }));
  if (elicit) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
      fromElicitAnswer(await elicit(toElicitRequest(params, config.name), mcpReq.signal)),
    );
  }
  if (sample) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) =>
      fromSampleAnswer(await sample(toSampleRequest(params, config.name), mcpReq.signal)),
    );
  }
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const said = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
    room.log(`${params.level}: ${params.logger === undefined ? "" : `${params.logger}: `}${said}`);
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => room.onToolsChanged());
  client.setNotificationHandler("notifications/prompts/list_changed", () => room.onPromptsChanged());
  return client;
}

/** In the newest version, changes are told to those who ask for it. */
export async function listenForChanges(client: Client, room: LinkRoom): Promise<void> {
  try {
    await client.listen({ toolsListChanged: true, promptsListChanged: true });
  } catch (error) {
    room.log(`changes of its lists will not be noticed: ${toFailure(error).message}`);
  }
}

function toRoot(path: string): { uri: string; name: string } {
  return { uri: pathToFileURL(path).href, name: path.split(/[\\/]/).filter(Boolean).at(-1) ?? path };
}
