// What happens in a session, as JSON Schema, for hosts in other languages and for logs. The compiler holds every field to
// its type: what is added to an event or a message is missing here until it is written down.

import type { Fault, FaultKind } from "../fault/fault.ts";
import type { ImagePart, PromptPart, TextPart, UserMessage } from "../message/message.ts";
import type {
  CallContent,
  CallKind,
  CallView,
  Denial,
  Location,
  PlanEntry,
  SessionEvent,
  TurnOutcome,
  UsageSnapshot,
} from "./event.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A field that may be missing. */
interface Optional {
  readonly optional: Schema;
}

/** One schema per field, optional where the field is. */
type Fields<Of> = { readonly [Key in keyof Of]-?: Partial<Pick<Of, Key>> extends Pick<Of, Key> ? Optional : Schema };

type Tagged = { readonly type: string };
type Variants<Union extends Tagged> = {
  readonly [Tag in Union["type"]]: Fields<Omit<Extract<Union, { readonly type: Tag }>, "type">>;
};

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const flag = { type: "boolean" } as const;
const count = { type: "integer", minimum: 0 } as const;
const anything = {} as const;

const faultKinds: Readonly<Record<FaultKind, true>> = {
  auth: true,
  "rate-limit": true,
  overloaded: true,
  network: true,
  stalled: true,
  overflow: true,
  "bad-request": true,
  model: true,
  loop: true,
  journal: true,
  internal: true,
};

const callKinds: Readonly<Record<CallKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
};

const textPart: Fields<Omit<TextPart, "type">> = { text };
const imagePart: Fields<Omit<ImagePart, "type">> = { data: text, mimeType: text, uri: optional(text) };

const definitions = {
  fault: object<Fault>({
    kind: { enum: Object.keys(faultKinds) },
    message: text,
    retryable: flag,
    retryAfterMs: optional(number),
    cause: optional(anything),
  }),
  location: object<Location>({ path: text, line: optional({ type: "integer", minimum: 1 }) }),
  told: tagged<TextPart | ImagePart>({ text: textPart, image: imagePart }),
  callContent: tagged<CallContent>({
    text: textPart,
    image: imagePart,
    diff: { path: text, oldText: { type: ["string", "null"] }, newText: text },
    terminal: { terminalId: text },
  }),
  call: object<CallView>({
    callId: text,
    name: text,
    title: text,
    kind: { enum: Object.keys(callKinds) },
    locations: list(ref("location")),
    input: anything,
    content: list(ref("callContent")),
  }),
  promptPart: tagged<PromptPart>({
    text: textPart,
    image: imagePart,
    audio: { data: text, mimeType: text },
    link: { uri: text, name: text, title: optional(text), mimeType: optional(text) },
    resource: { uri: text, mimeType: optional(text), text: optional(text), blob: optional(text) },
  }),
  message: object<UserMessage>({ role: { const: "user" }, id: text, parts: list(ref("promptPart")) }),
  planEntry: object<PlanEntry>({
    content: text,
    priority: { enum: ["high", "medium", "low"] },
    status: { enum: ["pending", "in_progress", "completed"] },
  }),
  denial: object<Denial>({ by: { enum: ["rule", "grant", "person"] }, because: text, rule: optional(text) }),
  usage: object<UsageSnapshot>({ usedTokens: count, windowTokens: count, cost: optional(number) }),
  outcome: tagged<TurnOutcome>({
    ended: {},
    cancelled: {},
    refused: {},
    "cut-short": {},
    exhausted: {},
    failed: { fault: ref("fault") },
  }),
} as const;

/** Draft 7. Fields it does not know are allowed: a later version may have more. */
export const eventSchema: Schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "agentao session event",
  ...tagged<SessionEvent>({
    prompt: { turnId: text, message: ref("message") },
    text: { messageId: text, text },
    reasoning: { messageId: text, text, opaque: optional(anything) },
    call: { messageId: text, call: ref("call"), rawInput: text, opaque: optional(anything) },
    aside: { text, apart: optional(flag) },
    trimmed: { callIds: list(text) },
    summary: { compactionId: text, text, through: text, tokensBefore: number, tokensAfter: number },
    "call-running": { callId: text },
    "call-ended": {
      callId: text,
      failed: flag,
      told: list(ref("told")),
      content: optional(list(ref("callContent"))),
      locations: optional(list(ref("location"))),
      denial: optional(ref("denial")),
    },
    plan: { entries: list(ref("planEntry")) },
    mode: { modeId: text },
    model: { modelId: text },
    "thought-level": { level: text },
    title: { title: text },
    usage: { usage: ref("usage") },
    "turn-ended": { turnId: text, outcome: ref("outcome") },
    "text-delta": { messageId: text, text },
    "reasoning-delta": { messageId: text, text },
    compacting: { compactionId: text },
    "compaction-failed": { compactionId: text, message: text },
    "call-output": { callId: text, content: list(ref("callContent")) },
    notice: { severity: { enum: ["info", "warning", "error"] }, message: text },
  }),
  definitions,
};

function tagged<Union extends Tagged>(variants: Variants<Union>): Schema {
  const of = Object.entries<Readonly<Record<string, Schema | Optional>>>(variants);
  return { oneOf: of.map(([tag, fields]) => toObject({ type: { const: tag }, ...fields })) };
}

function object<Of>(fields: Fields<Of>): Schema {
  return toObject(fields);
}

function toObject(fields: Readonly<Record<string, Schema | Optional>>): Schema {
  const all = Object.entries(fields);
  const properties = Object.fromEntries(all.map(([name, field]) => [name, isOptional(field) ? field.optional : field]));
  const required = all.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return { type: "object", properties, required };
}

function isOptional(field: Schema | Optional): field is Optional {
  return "optional" in field;
}

function optional(schema: Schema): Optional {
  return { optional: schema };
}

function list(items: Schema): Schema {
  return { type: "array", items };
}

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}
