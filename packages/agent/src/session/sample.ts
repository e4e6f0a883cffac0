// A server may use the person's model, when the gate lets it.

import type { MessageId } from "../id/id.ts";
import type { SampleAnswer, SampleRequest } from "../mcp/ask.ts";
import type { Message } from "../message/message.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import type { PermissionRequest, Verdict } from "../permission/request.ts";

export interface SampleRoom {
  model(): Model;
  readonly gate: { ask(request: PermissionRequest, signal: AbortSignal): Promise<Verdict> };
  callId(): PermissionRequest["callId"];
}

/** A model cannot be told how much to say for a server; what is surely more than that is not waited for. */
const MOST_CHARS_PER_TOKEN = 8;

export async function sample(request: SampleRequest, room: SampleRoom, signal: AbortSignal): Promise<SampleAnswer> {
  const verdict = await room.gate.ask(toPermission(request, room.callId()), signal);
  if (verdict.type === "denied") return { type: "refused", why: "The person did not allow it." };
  const model = room.model();
  let said = "";
  let isCut = false;
  for await (const event of model.stream(toModelRequest(request), signal)) {
    if (event.type === "text-delta") said += event.text;
    if (event.type === "failed") return { type: "refused", why: event.fault.message };
    if (event.type === "finish") isCut = event.reason === "length";
    if (said.length > request.maxTokens * MOST_CHARS_PER_TOKEN) {
      isCut = true;
      break;
    }
  }
  if (signal.aborted) return { type: "refused", why: "The turn was cancelled." };
  return { type: "answered", model: model.info.id, text: said, stopReason: isCut ? "maxTokens" : "endTurn" };
}

function toPermission(request: SampleRequest, callId: PermissionRequest["callId"]): PermissionRequest {
  const asked = request.messages.at(-1)?.parts.find((part) => part.type === "text")?.text ?? "";
  return {
    callId,
    tool: `mcp_${request.server}_sampling`,
    input: {},
    effect: { type: "other", readOnly: false },
    title: `The MCP server ${request.server} wants to ask the model: ${asked.slice(0, 200)}`,
    kind: "think",
    locations: [],
    content: [],
  };
}

function toModelRequest({ system = "", messages }: SampleRequest): ModelRequest {
  const said = messages.map(({ role, parts }, at): Message => {
    const id = `sample_${at}` as MessageId;
    return role === "user" ? { role, id, parts } : { role, id, parts: parts.filter((part) => part.type === "text") };
  });
  return { system, messages: said, tools: [] };
}
