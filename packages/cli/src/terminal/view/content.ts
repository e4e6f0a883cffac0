// Content blocks in words, for where only words can be shown.

import type { ContentBlock } from "@agentao/acp";
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

function blockText(block: ContentBlock, cwd: string): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return `[image ${block.mimeType}]`;
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
