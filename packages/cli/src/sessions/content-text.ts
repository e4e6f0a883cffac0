// What a prompt or a call shows, as plain text.

import type { CallContent, PromptPart } from "@agentao/agent";
import { toDiffLines } from "./diff-lines.ts";

export function promptText(parts: readonly PromptPart[]): string {
  return parts.map(partText).join("\n");
}

function partText(part: PromptPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "link":
      return `[${part.name}](${part.uri})`;
    case "resource":
      return part.text === undefined ? `[file ${part.uri}]` : `[file ${part.uri}]\n${part.text}`;
    case "image":
    case "audio":
      return `[${part.type} ${part.mimeType}]`;
    default:
      return "";
  }
}

export function contentText(content: CallContent): string {
  switch (content.type) {
    case "text":
      return unfenced(content.text);
    case "image":
      return `[image ${content.mimeType}]`;
    case "diff":
      return [
        diffTitle(content),
        ...toDiffLines(content.oldText, content.newText).map(({ mark, text }) => `${mark}${text}`),
      ].join("\n");
    case "terminal":
      return `[terminal ${content.terminalId}]`;
    default:
      return "";
  }
}

export function diffTitle({ oldText, path }: Extract<CallContent, { type: "diff" }>): string {
  return `${oldText === null ? "new file" : "edit of"} ${path}`;
}

/** Output comes as one block of code, which is shown as what is in it. */
function unfenced(text: string): string {
  const [, fence = "", inner = ""] = /^(`{3,})[^`\n]*\n([\s\S]*)\n\1\s*$/.exec(text) ?? [];
  return fence === "" || inner.includes(`\n${fence}`) ? text : inner;
}

/** The end of a call says more than its announcement, unless it says nothing. */
export function shownOf({
  content = [],
  call,
}: {
  readonly content?: readonly CallContent[];
  readonly call: { readonly content?: readonly CallContent[] };
}): readonly CallContent[] {
  return content.length > 0 ? content : (call.content ?? []);
}
