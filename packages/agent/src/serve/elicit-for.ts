// A question of an MCP server, passed on to the person. Where the client cannot ask, nobody is asked.

import type { CreateElicitationRequest } from "@agentao/acp";
import type { ElicitAnswer, ElicitRequest } from "../mcp/ask.ts";
import type { Client } from "./client.ts";
import { fitFields } from "./frame-budget.ts";
import { bounded } from "./to-rpc-error.ts";

export async function elicitFor(
  client: Client,
  sessionId: string,
  request: ElicitRequest,
  signal: AbortSignal,
): Promise<ElicitAnswer> {
  const isForm = request.type === "form";
  if (!client.clientSupports(isForm ? "elicitation.form" : "elicitation.url")) return { type: "cancelled" };
  if (!isForm && !isSafePage(request.url)) return { type: "declined" };
  try {
    const answer: { readonly action: string; readonly content?: unknown } = await client.elicit(
      toParams(sessionId, request),
      { signal },
    );
    switch (answer.action) {
      case "accept":
        return isForm ? toAccepted(answer.content) : { type: "accepted" };
      case "decline":
        return { type: "declined" };
      default:
        return { type: "cancelled" };
    }
  } catch {
    return { type: "cancelled" };
  }
}

function toParams(sessionId: string, request: ElicitRequest): CreateElicitationRequest {
  const message = `${request.server}: ${request.message}`;
  if (request.type === "form") {
    return fitFields({ mode: "form", sessionId, message, requestedSchema: request.schema } as CreateElicitationRequest);
  }
  // Half an address leads elsewhere: only the words are bounded.
  const { url } = request;
  return {
    mode: "url",
    sessionId,
    message: bounded(message, MAX_PAGE_WORDS),
    url,
    elicitationId: crypto.randomUUID(),
  };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Together they fit one line, whatever they are written with. */
const MAX_URL_CHARS = 8_000;
const MAX_PAGE_WORDS = 2_000;

/** Only what is encrypted or stays on this machine, and carries no credentials (ACP v1, elicitation, URL mode). */
function isSafePage(url: string): boolean {
  if (url.length > MAX_URL_CHARS || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  const isPrivate = protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
  return isPrivate && username === "" && password === "";
}

/** A form has flat fields; what is none was not filled in by a form. */
function toAccepted(content: unknown): ElicitAnswer {
  if (content === undefined || content === null) return { type: "accepted" };
  if (typeof content !== "object" || !Object.values(content).every(isValue)) return { type: "cancelled" };
  return { type: "accepted", content: content as Record<string, string | number | boolean | readonly string[]> };
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
