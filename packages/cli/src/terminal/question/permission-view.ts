// What a permission question shows above its answers: what would be done, whole where there is room.

import type { RequestPermissionRequest } from "@agentao/acp";
import { cleanLine, cleanText } from "../../text/plain.ts";
import { boundLines, fitAll, indent, wrap } from "../view/lines.ts";
import { shortPaths, type ViewRoom } from "../view/room.ts";
import { commandOf, toolContentView } from "../view/tool-call.ts";
import type { Choice } from "./form-step.ts";

export function permissionView({ toolCall }: RequestPermissionRequest, room: ViewRoom, maxLines: number): string[] {
  const { width, paint, cwd } = room;
  const inner = { ...room, width: Math.max(1, width - 2) };
  const command = commandOf(toolCall.rawInput);
  const named = cleanLine(toolCall.title ?? toolCall.toolCallId);
  // A command is shown to the letter.
  const title = command === undefined ? shortPaths(named, cwd) : named;
  // A title that is the beginning of the command, which follows whole.
  const isCut = command !== undefined && title.endsWith("…") && cleanLine(command).startsWith(title.slice(0, -1));
  const isSaid = command !== undefined && title.includes(cleanLine(command));
  const body = [
    ...(command === undefined || (isSaid && !command.includes("\n"))
      ? []
      : wrap(paint.code(`$ ${cleanText(command)}`), inner.width)),
    ...toolContentView(toolCall.content ?? [], inner, { command, title }),
  ];
  const words = wrap(paint.strong(isCut ? "Allow this command:" : `Allow: ${title}`), inner.width);
  const lines = [...indent(words, "  ", `${paint.warn("?")} `), ...indent(body, "  ")];
  const more = (missing: number): string => paint.quiet(`  … ${missing} more lines; Ctrl+O shows all`);
  return fitAll(boundLines(lines, Math.max(1, maxLines), more), width);
}

/** The answers, with paths as the question above them shows them. What is said of a command is left to the letter. */
export function permissionChoices({ options, toolCall }: RequestPermissionRequest, cwd: string): Choice[] {
  const isCommand = commandOf(toolCall.rawInput) !== undefined;
  return options.map(({ optionId, name }) => ({ id: optionId, label: isCommand ? name : shortPaths(name, cwd) }));
}

/** The answer that Esc gives: no to this one, where that is offered. */
export function refusalOf({ options }: RequestPermissionRequest): string | undefined {
  return options.find(({ kind }) => kind === "reject_once")?.optionId;
}
