// Content blocks in words, for where only words can be shown.

import type { ContentBlock, ToolCallContent } from "@agentao/acp";
import { cleanText } from "../../text/plain.ts";
import { shortPath } from "./room.ts";

export function contentText(blocks: readonly ContentBlock[], cwd: string): string {
  let text = "";
  for (const block of blocks) {
    const word = blockText(block, cwd);
    const isInline = block.type === "text" || text === "" || /\s$/.test(text);
    text += isInline ? word : ` ${word}`;
  }
  return text;
}

/** What one piece of a call's content says; nothing where it is no text. */
export function saidText(one: ToolCallContent, cwd: string): string {
  return one.type === "content" ? cleanText(unfenced(contentText([one.content], cwd))).trimEnd() : "";
}

/** The inside of a text that is one code block: a screen needs no marks around it. */
function unfenced(text: string): string {
  const [, fence, inside] = /^(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/.exec(text.trimStart()) ?? [];
  return fence === undefined || inside === undefined || `\n${inside}`.includes(`\n${fence}`) ? text : inside;
}

function blockText(block: ContentBlock, cwd: string): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return block.uri == null ? `[image ${block.mimeType}]` : `@${shortPath(fromUri(block.uri), cwd)}`;
    case "audio":
      return `[audio ${block.mimeType}]`;
    case "resource_link":
      return `@${shortPath(fromUri(block.uri), cwd)}`;
    case "resource":
      return `@${shortPath(fromUri(block.resource.uri), cwd)}`;
    default:
      return "[something this version cannot show]";
  }
}

function fromUri(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    return decodeURIComponent(uri.slice("file://".length));
  } catch {
    return uri;
  }
}
