// What a screen shows of a session. A transcript is a value: folding updates into it gives the next one, and the old
// one stays as it was, so that a view can compare the two.

import type {
  AvailableCommand,
  ContentBlock,
  Notice,
  PlanEntry,
  SessionConfigOption,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
  UnknownSessionUpdate,
  UsageUpdate,
} from "../v1/generated/type.ts";

export interface Transcript {
  /** In the order in which they first appeared. */
  readonly items: readonly TranscriptItem[];
  readonly plan: readonly PlanEntry[];
  readonly commands: readonly AvailableCommand[];
  readonly configOptions: readonly SessionConfigOption[];
  readonly modeId: string | undefined;
  readonly title: string | undefined;
  readonly updatedAt: string | undefined;
  readonly usage: UsageUpdate | undefined;
}

export type TranscriptItem = MessageItem | ToolCallItem | NoticeItem | CompactionItem | UnknownItem;

/** Chunks of one message, joined. Neighbouring text blocks are one block. */
export interface MessageItem {
  readonly type: "message";
  readonly from: "user" | "agent" | "thought";
  readonly messageId: string | undefined;
  readonly content: readonly ContentBlock[];
}

/** A tool call as the sum of what was said about it. */
export interface ToolCallItem {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly title: string;
  readonly name: string | undefined;
  readonly kind: ToolKind;
  readonly status: ToolCallStatus;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  /** What the agent last said of it beyond the protocol. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface NoticeItem {
  readonly type: "notice";
  readonly severity: string;
  readonly title: string;
  readonly description: string | undefined;
}

export interface CompactionItem {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: string;
  readonly summary: readonly ContentBlock[];
  readonly error: string | undefined;
}

/** An update of a kind this version does not know, kept as it came. */
export interface UnknownItem {
  readonly type: "unknown";
  readonly update: UnknownSessionUpdate;
}

export const emptyTranscript: Transcript = {
  items: [],
  plan: [],
  commands: [],
  configOptions: [],
  modeId: undefined,
  title: undefined,
  updatedAt: undefined,
  usage: undefined,
};

/**
 * The transcript after these updates. Fold a batch at a time (what came since the last repaint): the cost is one copy
 * of the list of items, plus the updates.
 */
export function foldTranscript(before: Transcript, updates: Iterable<SessionUpdate>): Transcript {
  const items = [...before.items];
  const after = { ...before, items };
  const places = new Places(items);
  for (const update of updates) fold(after, items, places, update);
  return after;
}

/** The text of every agent message, joined by blank lines. */
export function agentText({ items }: Transcript): string {
  const texts: string[] = [];
  for (const item of items) {
    if (item.type !== "message" || item.from !== "agent") continue;
    texts.push(item.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
  }
  return texts.join("\n\n");
}

type Draft = { -readonly [Field in keyof Transcript]: Transcript[Field] };

/** Where each tool call and each message with an id is. Made when the first one is asked for, and kept for the batch. */
class Places {
  readonly #items: TranscriptItem[];
  #places: Map<string, number> | undefined;

  constructor(items: TranscriptItem[]) {
    this.#items = items;
  }

  find(key: string): number {
    this.#places ??= new Map(this.#items.map((item, at) => [keyOf(item), at]));
    return this.#places.get(key) ?? -1;
  }

  add(item: TranscriptItem): void {
    this.#items.push(item);
    this.#places?.set(keyOf(item), this.#items.length - 1);
  }
}

function keyOf(item: TranscriptItem): string {
  if (item.type === "tool-call") return toCallKey(item.toolCallId);
  return item.type === "message" && item.messageId !== undefined ? toMessageKey(item.from, item.messageId) : "";
}

function toCallKey(toolCallId: string): string {
  return `call ${toolCallId}`;
}

function toMessageKey(from: MessageItem["from"], messageId: string): string {
  return `${from} ${messageId}`;
}

function fold(draft: Draft, items: TranscriptItem[], places: Places, update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      foldChunk(items, places, "user", update.messageId, update.content);
      break;
    case "agent_message_chunk":
      foldChunk(items, places, "agent", update.messageId, update.content);
      break;
    case "agent_thought_chunk":
      foldChunk(items, places, "thought", update.messageId, update.content);
      break;
    case "tool_call":
    case "tool_call_update":
      foldToolCall(items, places, update);
      break;
    case "plan":
      draft.plan = update.entries;
      break;
    case "available_commands_update":
      draft.commands = update.availableCommands;
      break;
    case "current_mode_update":
      draft.modeId = update.currentModeId;
      break;
    case "config_option_update":
      draft.configOptions = update.configOptions;
      break;
    case "session_info_update":
      if (update.title !== undefined) draft.title = update.title ?? undefined;
      if (update.updatedAt !== undefined) draft.updatedAt = update.updatedAt ?? undefined;
      break;
    case "usage_update":
      draft.usage = update;
      break;
    case "notice":
      items.push(toNotice(update));
      break;
    case "compaction_update":
      foldCompaction(items, update.compactionId, (item) => ({
        ...item,
        status: update.status,
        summary: update.summary ?? item.summary,
        error: update.error ?? item.error,
      }));
      break;
    case "compaction_summary_chunk":
      foldCompaction(items, update.compactionId, (item) => ({
        ...item,
        summary: append(item.summary, update.content),
      }));
      break;
    default:
      items.push({ type: "unknown", update });
  }
}

function toNotice({ severity, title, description }: Notice): NoticeItem {
  return { type: "notice", severity, title, description: description ?? undefined };
}

/** Same speaker and same id: the message goes on. Another id, or anything in between, begins a new one. */
function foldChunk(
  items: TranscriptItem[],
  places: Places,
  from: MessageItem["from"],
  id: string | null | undefined,
  block: ContentBlock,
): void {
  const messageId = id ?? undefined;
  const at = findOpenMessage(items, places, from, messageId);
  const item = items[at];
  if (item?.type === "message") items[at] = { ...item, content: append(item.content, block) };
  else places.add({ type: "message", from, messageId, content: [block] });
}

/** A message with an id may be continued after other items; one without only while it is the last. */
function findOpenMessage(
  items: TranscriptItem[],
  places: Places,
  from: MessageItem["from"],
  messageId: string | undefined,
): number {
  const last = items.length - 1;
  if (isMessage(items[last], from, messageId)) return last;
  return messageId === undefined ? -1 : places.find(toMessageKey(from, messageId));
}

function isMessage(
  item: TranscriptItem | undefined,
  from: MessageItem["from"],
  messageId: string | undefined,
): boolean {
  return item?.type === "message" && item.from === from && item.messageId === messageId;
}

function append(content: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = content.at(-1);
  if (block.type !== "text" || last?.type !== "text" || !isPlain(block) || !isPlain(last)) return [...content, block];
  return [...content.slice(0, -1), { type: "text", text: last.text + block.text }];
}

function isPlain(block: ContentBlock): boolean {
  return block.annotations == null && block._meta == null;
}

type ToolCallChange = Extract<SessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;

/** Absent and null fields keep what was known; lists replace. An update for a call never announced announces it. */
function foldToolCall(items: TranscriptItem[], places: Places, change: ToolCallChange): void {
  const at = places.find(toCallKey(change.toolCallId));
  const known = items[at];
  const item = known?.type === "tool-call" ? known : newToolCall(change.toolCallId);
  const next: ToolCallItem = {
    ...item,
    title: change.title ?? item.title,
    name: change.name ?? item.name,
    kind: change.kind ?? item.kind,
    status: change.status ?? item.status,
    content: change.content ?? item.content,
    locations: change.locations ?? item.locations,
    rawInput: change.rawInput === undefined ? item.rawInput : change.rawInput,
    rawOutput: change.rawOutput === undefined ? item.rawOutput : change.rawOutput,
    ...(change._meta != null && { _meta: change._meta }),
  };
  if (at >= 0) items[at] = next;
  else places.add(next);
}

function newToolCall(toolCallId: string): ToolCallItem {
  return {
    type: "tool-call",
    toolCallId,
    title: toolCallId,
    name: undefined,
    kind: "other",
    status: "pending",
    content: [],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
  };
}

function foldCompaction(
  items: TranscriptItem[],
  compactionId: string,
  change: (item: CompactionItem) => CompactionItem,
): void {
  const at = items.findLastIndex((item) => item.type === "compaction" && item.compactionId === compactionId);
  const known = items[at];
  if (known?.type === "compaction") {
    items[at] = change(known);
    return;
  }
  items.push(change({ type: "compaction", compactionId, status: "in_progress", summary: [], error: undefined }));
}
