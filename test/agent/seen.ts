// What was seen on either side of the agent, as plain values to compare.

import type { SessionUpdate } from "@agentao/acp";
import type { Message, ModelRequest } from "@agentao/agent";
import { withoutContext } from "../../packages/agent/src/model/without-context.ts";
import type { Scripted } from "./connect-scripted.ts";

/** What the model was told about calls. */
export function resultsOf(request: ModelRequest | undefined) {
  return request?.messages.filter(({ role }) => role === "result");
}

/** The conversation as the model was given it, without what agentao tells beside a prompt. */
export function messagesOf(request: ModelRequest | undefined): readonly Message[] {
  return (request?.messages ?? []).map((message): Message => {
    if (message.role !== "user") return message;
    const parts = message.parts.map((part) =>
      part.type === "text" ? { ...part, text: withoutContext(part.text) } : part,
    );
    return { ...message, parts: parts.filter((part) => part.type !== "text" || part.text !== "") };
  });
}

/** What the model was last told about a call. */
export function toldOf({ model }: Scripted): string {
  const last = model.asked.at(-1)?.messages.at(-1);
  return last?.role === "result" ? last.parts.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
}

/** What the agent said, without thoughts. */
export function textOf(updates: readonly SessionUpdate[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "",
    )
    .join("");
}

/** Updates of these kinds only. */
export function only<Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  ...kinds: readonly Kind[]
): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
  return updates.filter((update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> =>
    (kinds as readonly string[]).includes(update.sessionUpdate),
  );
}

/** What a rejected request says, as a plain value. */
export async function errorOf(request: Promise<unknown>): Promise<{ code: number; message: string; data?: unknown }> {
  try {
    await request;
  } catch (cause) {
    const { code, message, data } = cause as { code: number; message: string; data: unknown };
    return { code, message, ...(data !== undefined && { data }) };
  }
  throw new Error("the request succeeded");
}
