// Conversations in the forms the reference system (agentao in Python) writes and takes: its session files, and the
// history a host may send along. They become entries like any other. Pure.

import type { CallKind, PlanEntry } from "../event/event.ts";
import { parseSessionId, type SessionId } from "../id/id.ts";
import { type Fields, isFields } from "../json/fields.ts";
import { type PromptPart, text } from "../message/message.ts";
import type { EntryBody } from "./entry.ts";
import { ImportedTurns } from "./imported-turns.ts";
import { boundTitle } from "./title.ts";

/** Times are milliseconds since 1970. The model is told, not restored: it may not be there any more. */
export interface ReferenceSession {
  readonly id: SessionId;
  readonly title?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly model?: string | undefined;
  readonly entries: readonly EntryBody[];
}

export type ReferenceReading =
  | { readonly type: "session"; readonly session: ReferenceSession }
  | { readonly type: "unreadable"; readonly problem: string };

/** `name` is the file's, without its ending: older files have no other id and no other time. */
export function readReferenceSession(json: unknown, name: string): ReferenceReading {
  if (!isFields(json) || !Array.isArray(json.messages)) return unreadable("it has no list of messages");
  const id = parseSessionId(textOr(json.session_id, name));
  if (id === undefined) return unreadable("its session_id is no plain name");
  const updatedAt = timeOf(json.updated_at) ?? timeOf(json.timestamp) ?? timeOfName(name);
  const title = boundTitle(textOr(json.title, ""));
  const model = textOr(json.model, "");
  const session: ReferenceSession = {
    id,
    ...(title !== "" && { title }),
    createdAt: timeOf(json.created_at) ?? updatedAt,
    updatedAt,
    ...(model !== "" && { model }),
    entries: toEntries(json.messages.filter(isFields), title),
  };
  return { type: "session", session };
}

/** `[{ role: "user" | "assistant", content }]`, content being text or blocks. Nothing when it is anything else. */
export function importHistory(history: unknown): readonly EntryBody[] | undefined {
  if (!Array.isArray(history)) return undefined;
  const turns = new ImportedTurns();
  for (const message of history) {
    if (!isFields(message)) return undefined;
    if (message.role !== "user" && message.role !== "assistant") return undefined;
    if (message.role === "user") addPrompt(turns, toParts(message.content));
    else {
      turns.answer();
      turns.text(textOf(message.content));
    }
  }
  turns.end();
  return turns.entries;
}

function toEntries(messages: readonly Fields[], title: string): readonly EntryBody[] {
  const turns = new ImportedTurns();
  turns.title(title);
  let summary: string[] = [];
  for (const message of messages) {
    if (message.role === "system") {
      const said = textOf(message.content);
      if (!said.startsWith("[Compact Boundary")) summary.push(said);
      continue;
    }
    addSummary(turns, summary);
    summary = [];
    addMessage(turns, message);
  }
  addSummary(turns, summary);
  turns.end();
  return turns.entries;
}

/** There, a summary stood in for what was dropped. Here it is an exchange like any other, so every model takes it. */
function addSummary(turns: ImportedTurns, summary: readonly string[]): void {
  if (summary.length === 0) return;
  turns.prompt([text("What happened in this conversation so far?")]);
  turns.answer();
  turns.text(summary.join("\n\n"));
}

function addMessage(turns: ImportedTurns, message: Fields): void {
  switch (message.role) {
    case "user":
      addPrompt(turns, withoutReminders(toParts(message.content)));
      break;
    case "assistant":
      addAnswer(turns, message);
      break;
    case "tool": {
      const said = textOf(message.content);
      turns.result(textOr(message.tool_call_id, ""), said, FAILURE.test(said));
    }
  }
}

/** The files do not say whether a call failed; these are the words it began with. */
const FAILURE = /^(Error\b|Tool execution (denied|cancelled|blocked)|\[Readonly mode\])/;

function addPrompt(turns: ImportedTurns, parts: readonly PromptPart[]): void {
  if (parts.length > 0) turns.prompt(parts);
}

function addAnswer(turns: ImportedTurns, message: Fields): void {
  const said = textOf(message.content);
  if (/^\[(Cancelled: .*|Interrupted)\]$/.test(said)) {
    turns.end("cancelled");
    return;
  }
  turns.answer();
  turns.reasoning(textOr(message.reasoning_content, ""));
  turns.text(said);
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
    if (!isFields(call) || !isFields(call.function)) continue;
    const { name, arguments: input } = call.function;
    if (typeof name !== "string") continue;
    const rawInput = typeof input === "string" ? input : JSON.stringify(input ?? {});
    turns.call({ id: textOr(call.id, ""), name, rawInput, kind: KINDS.get(name) ?? "other" });
    const plan = name === "todo_write" ? toPlan(rawInput) : undefined;
    if (plan !== undefined) turns.plan(plan);
  }
}

const KINDS = new Map<string, CallKind>([
  ["read_file", "read"],
  ["list_directory", "read"],
  ["write_file", "edit"],
  ["replace", "edit"],
  ["glob", "search"],
  ["search_file_content", "search"],
  ["web_search", "search"],
  ["run_shell_command", "execute"],
  ["web_fetch", "fetch"],
]);

function toPlan(rawInput: string): PlanEntry[] | undefined {
  let todos: unknown;
  try {
    todos = JSON.parse(rawInput)?.todos;
  } catch {
    return undefined;
  }
  if (!Array.isArray(todos)) return undefined;
  return todos.filter(isFields).map(({ content, status }) => ({
    content: textOr(content, ""),
    priority: "medium",
    status: status === "completed" || status === "in_progress" ? status : "pending",
  }));
}

/** A text, or a list of parts; those we do not know are left out. */
function toParts(content: unknown): PromptPart[] {
  if (typeof content === "string") return content === "" ? [] : [text(content)];
  return Array.isArray(content) ? content.map(toPart).filter((part) => part !== undefined) : [];
}

function toPart(part: unknown): PromptPart | undefined {
  if (!isFields(part)) return undefined;
  if (typeof part.text === "string") return text(part.text);
  if (typeof part.data === "string" && typeof part.mimeType === "string" && part.mimeType.startsWith("image/")) {
    return { type: "image", data: part.data, mimeType: part.mimeType };
  }
  const url = isFields(part.image_url) ? part.image_url.url : undefined;
  if (typeof url !== "string") return undefined;
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mimeType !== undefined && data !== undefined) return { type: "image", data, mimeType };
  return { type: "link", uri: url, name: url };
}

const REMINDER = /<system-reminder>.*?<\/system-reminder>/gs;

/** The reference system put the date and other notes of its own before what the person said. */
function withoutReminders(parts: readonly PromptPart[]): PromptPart[] {
  const said = parts.map((part) => (part.type === "text" ? text(part.text.replace(REMINDER, "").trim()) : part));
  return said.filter((part) => part.type !== "text" || part.text !== "");
}

function textOf(content: unknown): string {
  const texts = toParts(content).map((part) => (part.type === "text" ? part.text : ""));
  return texts.join("");
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `YYYYmmdd_HHMMSS_microseconds`, local time. */
function timeOfName(name: string): number {
  const [year = 1970, month = 1, ...rest] = (/^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(name) ?? [])
    .slice(1)
    .map(Number);
  const [day = 1, hours = 0, minutes = 0, seconds = 0] = rest;
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
}

function unreadable(problem: string): ReferenceReading {
  return { type: "unreadable", problem };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
