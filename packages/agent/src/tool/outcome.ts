// The words of outcomes, so that they look alike in every tool.

import { fenceFor } from "../message/fence.ts";
import { text } from "../message/message.ts";
import type { ToolOutcome } from "./tool.ts";

export function failure(message: string): ToolOutcome {
  return { failed: true, told: [text(`Error: ${message}`)] };
}

/** Clients show text as Markdown; file content and output are shown as they are. */
export function fenced(content: string, language = ""): string {
  const fence = fenceFor(content);
  return `${fence}${language}\n${content.endsWith("\n") ? content : `${content}\n`}${fence}`;
}
