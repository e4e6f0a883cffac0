// A prompt as a model reads it: text, images and sound. Links stay links, embedded files come with their names.

import { fenceFor } from "./fence.ts";
import type { AudioPart, ImagePart, PromptPart, TextPart } from "./message.ts";

/** Neighbouring texts become one, separated by a blank line. */
export function promptContent(parts: readonly PromptPart[]): (TextPart | ImagePart | AudioPart)[] {
  const content: (TextPart | ImagePart | AudioPart)[] = [];
  for (const part of parts) {
    const read = toContent(part);
    const last = content.at(-1);
    if (read.type === "text" && last?.type === "text") {
      content[content.length - 1] = { type: "text", text: `${last.text}\n\n${read.text}` };
    } else {
      content.push(read);
    }
  }
  return content;
}

function toContent(part: PromptPart): TextPart | ImagePart | AudioPart {
  switch (part.type) {
    case "text":
    case "image":
    case "audio":
      return part;
    case "link":
      return { type: "text", text: `[Resource: ${part.title || part.name || part.uri}](${part.uri})` };
    case "resource":
      if (part.text !== undefined) return { type: "text", text: embedded(part.uri, part.text) };
      if (part.blob !== undefined && part.mimeType?.startsWith("image/")) {
        return { type: "image", data: part.blob, mimeType: part.mimeType, uri: part.uri };
      }
      return { type: "text", text: `[Resource: ${part.uri}](${part.uri}) (${part.mimeType ?? "binary"}, not shown)` };
  }
}

function embedded(uri: string, text: string): string {
  const fence = fenceFor(text);
  return `[Resource: ${uri}](${uri})\n${fence}\n${text}\n${fence}`;
}
