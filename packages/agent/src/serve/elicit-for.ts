// A question of an MCP server, passed on to the person. Where the client cannot ask, nobody is asked.

import type { CreateElicitationRequest } from "@agentao/acp";
import type { ElicitAnswer, ElicitRequest } from "../mcp/ask.ts";
import type { Client } from "./client.ts";
import { fitFields } from "./frame-budget.ts";

export async function elicitFor(
  client: Client,
  sessionId: string,
  request: ElicitRequest,
  signal: AbortSignal,
): Promise<ElicitAnswer> {
  if (!client.clientSupports(request.type === "form" ? "elicitation.form" : "elicitation.url")) {
    return { type: "cancelled" };
  }
  try {
    const { action, content } = (await client.elicit(fitFields(toParams(sessionId, request)), { signal })) as {
      readonly action: string;
      readonly content?: unknown;
    };
    if (action === "accept") return { type: "accepted", ...(isFields(content) && { content: content as never }) };
    return { type: action === "decline" ? "declined" : "cancelled" };
  } catch {
    return { type: "cancelled" };
  }
}

function toParams(sessionId: string, request: ElicitRequest): CreateElicitationRequest {
  const message = `${request.server}: ${request.message}`;
  if (request.type === "page") {
    return { mode: "url", sessionId, message, url: request.url, elicitationId: `${request.server}-${Date.now()}` };
  }
  return { mode: "form", sessionId, message, requestedSchema: request.schema } as CreateElicitationRequest;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
