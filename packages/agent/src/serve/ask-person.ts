// A question of the model, asked to the person: by a form where the client has forms, else by the method that agentao
// always had, else not at all. No answer is ever invented.

import type { CreateElicitationRequest, ElicitationPropertySchema } from "@agentao/acp";
import { LocalError } from "@agentao/acp";
import type { PersonAnswer, Question } from "../tool/tool.ts";
import type { Client } from "./client.ts";
import { ASK_USER } from "./extension.ts";
import { fitFields } from "./frame-budget.ts";

/** What clients of the reference system answer when nobody is there. */
const UNAVAILABLE = "(user unavailable)";

/** Some clients never answer a method they do not know. */
const PATIENCE_MS = 5 * 60_000;

export async function askPerson(
  client: Client,
  sessionId: string,
  question: Question,
  signal: AbortSignal,
): Promise<PersonAnswer> {
  try {
    if (client.clientSupports("elicitation.form")) {
      return among(question, readForm(await client.elicit(fitFields(toForm(sessionId, question)), { signal })));
    }
    const params = fitFields({ sessionId, ...question });
    return among(question, readAnswer(await client.extRequest(ASK_USER, params, { signal, timeoutMs: PATIENCE_MS })));
  } catch (cause) {
    if (cause instanceof LocalError && cause.type === "aborted") return { type: "declined" };
    return { type: "unavailable" };
  }
}

/** Where own words were not asked for, only what was offered is an answer. */
function among({ options, allowCustom }: Question, answer: PersonAnswer): PersonAnswer {
  if (answer.type !== "answered" || allowCustom !== false || options === undefined) return answer;
  const known = answer.parts.filter((part) => options.includes(part));
  return known.length === answer.parts.length ? answer : { type: "declined" };
}

function toForm(
  sessionId: string,
  { question, header, options, multiple, allowCustom }: Question,
): CreateElicitationRequest {
  const title = header ?? "Answer";
  const properties: Record<string, ElicitationPropertySchema> = {};
  if (options === undefined || options.length === 0) {
    properties.answer = { type: "string", title };
  } else {
    properties.answer = multiple
      ? { type: "array", title, items: { type: "string", enum: options } }
      : { type: "string", title, enum: options };
    if (allowCustom !== false) properties.other = { type: "string", title: "Something else" };
  }
  const required = properties.other === undefined ? ["answer"] : [];
  return { mode: "form", sessionId, message: question, requestedSchema: { type: "object", properties, required } };
}

function readForm(response: { readonly action: string; readonly content?: unknown }): PersonAnswer {
  if (response.action !== "accept") return { type: "declined" };
  const { answer, other } = (response.content ?? {}) as { answer?: unknown; other?: unknown };
  const said = [answer, other].flat().filter((text): text is string => typeof text === "string" && text !== "");
  return said.length === 0 ? { type: "declined" } : { type: "answered", text: said.join(", "), parts: said };
}

/** `{answer}` and `{outcome: "answered", text}` both mean an answer. */
function readAnswer(result: unknown): PersonAnswer {
  const { answer, text, outcome } = (result ?? {}) as { answer?: unknown; text?: unknown; outcome?: unknown };
  const said = typeof answer === "string" ? answer : outcome === "answered" ? text : undefined;
  if (outcome === "cancelled") return { type: "declined" };
  if (typeof said !== "string" || said === UNAVAILABLE) return { type: "unavailable" };
  return { type: "answered", text: said, parts: [said] };
}
