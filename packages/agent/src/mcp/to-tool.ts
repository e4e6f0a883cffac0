// A tool of a server as a tool of ours.

import type { CallKind } from "../event/event.ts";
import { text } from "../message/message.ts";
import { type AnyTool, defineTool, type ToolOutcome, type ToolRoom } from "../tool/tool.ts";
import { boundText } from "./clean-schema.ts";
import type { Connection } from "./connection.ts";
import { toFailure } from "./failure.ts";
import type { Progress } from "./link.ts";
import type { ServerTool } from "./listed.ts";
import type { Redaction } from "./secret.ts";
import { toOutcome } from "./to-outcome.ts";
import { MAX_DESCRIPTION_CHARS, toToolSchema } from "./tool-schema.ts";

type Input = Readonly<Record<string, unknown>>;

export interface ToolPlace {
  readonly connection: Pick<Connection, "config" | "request">;
  readonly redaction: Redaction;
}

export function toTool(name: string, tool: ServerTool, { connection, redaction }: ToolPlace): AnyTool {
  const { name: server, trust } = connection.config;
  const { schema, required, renamed } = toToolSchema(tool.inputSchema);
  const title = `${capital(server)}: ${(trust ? tool.title : undefined) ?? readable(tool.name)}`;
  const description = tool.description ?? `The tool "${tool.name}" of the MCP server "${server}".`;

  return defineTool<Input>({
    name,
    description: boundText(redaction.told(description.trim()), MAX_DESCRIPTION_CHARS),
    inputSchema: schema,
    parse(input) {
      const missing = required.filter((field) => input[field] === undefined);
      if (missing.length > 0) return { problem: `${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} required` };
      return { input: originalNames(input, renamed) };
    },
    plan: () => ({
      title: boundText(title, 120),
      kind: trust ? kindOf(tool) : "other",
      locations: [],
      effect: { type: "other", readOnly: trust && tool.isReadOnly },
    }),
    async run(input, room, signal): Promise<ToolOutcome> {
      try {
        const params = { name: tool.name, arguments: input };
        const result = await connection.request("tools/call", params, { signal, onProgress: shown(room, redaction) });
        return toOutcome(result, redaction.told);
      } catch (error) {
        const why = redaction.said(toFailure(error).message);
        return { failed: true, told: [text(`Error: ${server}: ${why}`)] };
      }
    },
  });
}

function originalNames(input: Input, renamed: ReadonlyMap<string, string>): Input {
  if (renamed.size === 0) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [renamed.get(name) ?? name, value]));
}

const SHOWN_LINES = 12;

/** The last lines of progress, each replacing the one before when it says the same of a later step. */
function shown(room: ToolRoom, redaction: Redaction): (progress: Progress) => void {
  let lines: string[] = [];
  return ({ progress, total, message }) => {
    const step = total === undefined ? `${progress}` : `${progress} of ${total}`;
    const said = message?.trim() ? redaction.told(boundText(message.trim(), 500)) : "";
    const isSame = said === "" || lines.at(-1)?.startsWith(`${said} (`);
    lines = [...(isSame ? lines.slice(0, -1) : lines), said === "" ? step : `${said} (${step})`].slice(-SHOWN_LINES);
    room.show([text(lines.join("\n"))]);
  };
}

function kindOf({ name, isReadOnly }: ServerTool): CallKind {
  if (!isReadOnly) return "other";
  return /(^|[^a-z])(search|find|query|grep|lookup)/i.test(name) ? "search" : "read";
}

/** `createIssue`, `create_issue` and `create-issue` read as they are meant. */
function readable(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[\s_.:/-]+/g, " ")
    .trim();
  return words === "" ? name : words.toLowerCase();
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
