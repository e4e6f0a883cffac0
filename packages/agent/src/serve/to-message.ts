// Prompt blocks of the wire to parts of a message.

import type { ContentBlock } from "@agentao/acp";
import { RpcError } from "@agentao/acp";
import type { PromptPart } from "../message/message.ts";

/** Throws the error to answer with when the prompt says nothing. */
export function toPromptParts(blocks: readonly ContentBlock[]): PromptPart[] {
  const parts = blocks.map(toPart);
  if (parts.length === 0) throw RpcError.invalidParams("Invalid params: the prompt is empty");
  return parts;
}

function toPart(block: ContentBlock): PromptPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image": {
      const { data, mimeType, uri } = block;
      return { type: "image", data, mimeType, ...(uri != null && { uri }) };
    }
    case "audio":
      return { type: "audio", data: block.data, mimeType: block.mimeType };
    case "resource_link": {
      const { uri, name, title, mimeType } = block;
      return { type: "link", uri, name, ...(title != null && { title }), ...(mimeType != null && { mimeType }) };
    }
    case "resource": {
      const { resource } = block;
      const about = { uri: resource.uri, ...(resource.mimeType != null && { mimeType: resource.mimeType }) };
      if ("text" in resource) return { type: "resource", ...about, text: resource.text };
      return { type: "resource", ...about, blob: resource.blob };
    }
    default:
      throw RpcError.invalidParams("Invalid params: a content block of a type this agent does not know");
  }
}

/** The other way round, for replay. */
export function toContentBlock(part: PromptPart): ContentBlock {
  switch (part.type) {
    case "text":
    case "image":
    case "audio":
      return part;
    case "link":
      return { ...part, type: "resource_link" };
    case "resource": {
      const { uri, mimeType, text, blob } = part;
      const resource = text === undefined ? { uri, mimeType, blob: blob ?? "" } : { uri, mimeType, text };
      return { type: "resource", resource };
    }
  }
}
