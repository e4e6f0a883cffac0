// The updates that are streamed: what both sides know beforehand, so that every one can be checked on arrival. Nothing
// here depends on a library; the types fit all of them.

export type TrafficType = "small" | "mixed";

interface TextContent {
  type: "text";
  text: string;
}

type ToolContent =
  | { type: "content"; content: TextContent }
  | { type: "diff"; path: string; oldText: string; newText: string };

export type Update =
  | { sessionUpdate: "agent_message_chunk" | "agent_thought_chunk"; content: TextContent }
  | { sessionUpdate: "tool_call"; toolCallId: string; title: string; kind: "edit"; status: "pending" }
  | { sessionUpdate: "tool_call_update"; toolCallId: string; status: "completed"; content: ToolContent[] }
  | {
      sessionUpdate: "plan";
      entries: { content: string; priority: "high" | "medium"; status: "completed" | "in_progress" | "pending" }[];
    };

/** Updates repeat after so many; a loss shows in the order or, if it is a whole cycle, in the number. */
const CYCLE = 1000;

/** 20 updates of a turn: 60 % text, 15 % thoughts, 5 % tool calls, 15 % their updates, 5 % plans. */
const MIXED_TURN: readonly Update["sessionUpdate"][] = [
  ...repeat("agent_thought_chunk", 3),
  ...repeat("agent_message_chunk", 6),
  "plan",
  "tool_call",
  ...repeat("tool_call_update", 3),
  ...repeat("agent_message_chunk", 6),
];

/** One cycle, each update with a mark that no other in the cycle has. */
export function createTraffic(type: TrafficType): Update[] {
  return Array.from({ length: CYCLE }, (_, at) => {
    const kind = type === "small" ? "agent_message_chunk" : (MIXED_TURN[at % MIXED_TURN.length] ?? "plan");
    return createUpdate(kind, at);
  });
}

/** What tells an update from its neighbours; `undefined` when it is not what its tag says. */
export function toMark(update: unknown): string | undefined {
  const known = update as Update;
  switch (known.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return known.content.text;
    case "tool_call":
      return known.title;
    case "tool_call_update":
      return known.content.length === 2 ? known.toolCallId : undefined;
    case "plan":
      return known.entries[0]?.content;
    default:
      return undefined;
  }
}

function createUpdate(kind: Update["sessionUpdate"], at: number): Update {
  const number = String(at).padStart(5, "0");
  switch (kind) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return { sessionUpdate: kind, content: { type: "text", text: `token ${number} of a streamed text` } };
    case "tool_call": {
      const title = `Edit src/module-${number}.ts`;
      return { sessionUpdate: kind, toolCallId: `call-${number}`, title, kind: "edit", status: "pending" };
    }
    case "tool_call_update":
      return { sessionUpdate: kind, toolCallId: `call-${number}`, status: "completed", content: toolOutput(number) };
    case "plan":
      return {
        sessionUpdate: kind,
        entries: [
          { content: `Read module ${number} and its tests`, priority: "high", status: "completed" },
          { content: "Change the default time-out", priority: "high", status: "in_progress" },
          { content: "Run the tests again", priority: "medium", status: "pending" },
        ],
      };
  }
}

function toolOutput(number: string): ToolContent[] {
  const text = `The file was changed; ${number} lines were looked at.\n`.padEnd(199, "1 test passed. ").concat("\n");
  const oldText = `export const timeoutMs = 1_000;\nexport const name = "module-${number}";\n`;
  const newText = oldText.replace("1_000", "2_500");
  return [
    { type: "content", content: { type: "text", text } },
    { type: "diff", path: `/home/user/project/src/module-${number}.ts`, oldText, newText },
  ];
}

function repeat<const Kind>(kind: Kind, times: number): Kind[] {
  return Array.from({ length: times }, () => kind);
}
