// Where the schema has no name for a thing, or one that reads badly on its own, the name is chosen here by hand.

/** Definitions that go by another name with us. */
const renamed: { readonly [definition: string]: string } = {
  Content: "ToolCallContentBlock",
  Diff: "ToolCallDiff",
  Terminal: "ToolCallTerminal",
  ElicitationFormMode: "FormElicitationRequest",
  ElicitationUrlMode: "UrlElicitationRequest",
  ElicitationAcceptAction: "AcceptElicitationResponse",
  Error: "WireError",
  // Its tag is the word "unknown", which is not the same as a tag we do not know.
  UnknownStateUpdate: "UndeterminedStateUpdate",
};

/**
 * Variants by union and tag. A variant listed here is an interface of its own, which extends the definition the schema
 * gives its fields. One that is not listed is that definition: nothing else uses it, so it carries the tag itself.
 */
const variants: { readonly [variant: string]: string } = {
  "ContentBlock.text": "TextBlock",
  "ContentBlock.image": "ImageBlock",
  "ContentBlock.audio": "AudioBlock",
  "ContentBlock.resource_link": "ResourceLinkBlock",
  "ContentBlock.resource": "ResourceBlock",
  "SessionUpdate.user_message_chunk": "UserMessageChunkUpdate",
  "SessionUpdate.agent_message_chunk": "AgentMessageChunkUpdate",
  "SessionUpdate.agent_thought_chunk": "AgentThoughtChunkUpdate",
  "SessionUpdate.tool_call": "ToolCallStartedUpdate",
  "SessionUpdate.tool_call_update": "ToolCallChangedUpdate",
  "SessionUpdate.plan": "PlanEntriesUpdate",
  "SessionUpdate.plan_removed": "PlanRemovedUpdate",
  "SessionUpdate.notice": "NoticeUpdate",
  "SessionUpdate.compaction_summary_chunk": "CompactionSummaryChunkUpdate",
  "SessionUpdate.session_message": "SessionMessageUpdate",
  "SessionUpdate.session_message_chunk": "SessionMessageChunkUpdate",
  "RequestPermissionOutcome.cancelled": "CancelledPermissionOutcome",
  "CreateElicitationResponse.decline": "DeclineElicitationResponse",
  "CreateElicitationResponse.cancel": "CancelElicitationResponse",
  "SetSessionConfigOptionRequest.boolean": "SetSessionConfigBooleanRequest",
  "SetSessionConfigOptionRequest.default": "SetSessionConfigValueRequest",
  "IdleStateUpdate.error": "FailedStateUpdate",
  "IdleStateUpdate.default": "StoppedStateUpdate",
  "MessageMcpResponse.result": "McpResultResponse",
  "MessageMcpResponse.error": "McpErrorResponse",
};

const unknownVariants: { readonly [union: string]: string } = {
  RequestPermissionOutcome: "UnknownPermissionOutcome",
  CreateElicitationRequest: "UnknownElicitationRequest",
  CreateElicitationResponse: "UnknownElicitationResponse",
};

/** Unions the schema writes out in place, by their alternatives. */
const unionsInPlace: { readonly [alternatives: string]: string } = {
  "ElicitationSessionScope | ElicitationRequestScope": "ElicitationScope",
};

/** A default variant's own word for itself, which it may be tagged with although the schema does not ask for it. */
export const defaultTags: { readonly [union: string]: string } = { McpServer: "stdio", AuthMethod: "agent" };

/**
 * Unions in which an unknown tag is refused. A config option only ever stands in a list from which invalid items are
 * left out, and a client cannot show an option whose kind it does not know: it is better skipped than handed on.
 */
export const unionsWithoutUnknown: ReadonlySet<string> = new Set(["SessionConfigOption"]);

/** Definitions that are replaced by their shape wherever they are used; our own code has better names for them. */
export const inlined: ReadonlySet<string> = new Set(["ErrorCode"]);

export function nameOf(definition: string): string {
  return renamed[definition] ?? definition;
}

export function variantNameOf(union: string, tag: string): string | undefined {
  return variants[`${union}.${tag}`];
}

export function unknownNameOf(union: string): string {
  return unknownVariants[union] ?? `Unknown${nameOf(union)}`;
}

export function nameInPlace(alternatives: readonly string[]): string {
  const name = unionsInPlace[alternatives.join(" | ")];
  if (name === undefined) throw new Error(`The union of ${alternatives.join(" and ")} needs a name in name.ts.`);
  return name;
}
