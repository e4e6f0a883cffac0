// What a server says, block by block, to parts of messages. Blocks are read as they are: what is odd becomes a note.

import { type Fields, fieldsOf } from "../json/fields.ts";
import type { AudioPart, ImagePart, PromptPart, ResourcePart, TextPart } from "../message/message.ts";
import { text } from "../message/message.ts";

const MAX_IMAGE_CHARS = 7_000_000;

/** What a model can be told of one block. */
export function toToldParts(block: unknown): readonly (TextPart | ImagePart)[] {
  const fields = fieldsOf(block);
  switch (fields.type) {
    case "text":
      return [text(stringOf(fields.text))];
    case "image":
      return [imageOr(fields, "image")];
    case "audio":
      return [text(`[audio: ${mimeOf(fields)}, ${kilobytes(fields.data)}; it cannot be played here]`)];
    case "resource_link":
      return [text(linkLine(fields))];
    case "resource":
      return [ofResource(fieldsOf(fields.resource))];
    default:
      return [text(JSON.stringify(block) ?? String(block))];
  }
}

/** What a prompt of a server brings into the conversation. */
export function toPromptParts(content: unknown): readonly PromptPart[] {
  const fields = fieldsOf(content);
  switch (fields.type) {
    case "audio":
      return [{ type: "audio", data: stringOf(fields.data), mimeType: mimeOf(fields) }];
    case "resource_link":
      return [
        {
          type: "link",
          uri: stringOf(fields.uri),
          name: stringOf(fields.name) || stringOf(fields.uri),
          ...(typeof fields.title === "string" && { title: fields.title }),
          ...(typeof fields.mimeType === "string" && { mimeType: fields.mimeType }),
        },
      ];
    case "resource":
      return [toResourcePart(fields.resource)];
    default:
      return toToldParts(content);
  }
}

export function toSampleParts(blocks: readonly unknown[]): readonly (TextPart | ImagePart | AudioPart)[] {
  return blocks.flatMap((block): readonly (TextPart | ImagePart | AudioPart)[] => {
    const fields = fieldsOf(block);
    if (fields.type !== "audio") return toToldParts(block);
    return [{ type: "audio", data: stringOf(fields.data), mimeType: mimeOf(fields) }];
  });
}

export function toResourcePart(contents: unknown): ResourcePart {
  const { uri, mimeType, text: body, blob } = fieldsOf(contents);
  return {
    type: "resource",
    uri: stringOf(uri),
    ...(typeof mimeType === "string" && { mimeType }),
    ...(typeof body === "string" && { text: body }),
    ...(typeof blob === "string" && { blob }),
  };
}

function ofResource(resource: Fields): TextPart | ImagePart {
  const uri = stringOf(resource.uri);
  if (typeof resource.text === "string") return text(`[${uri}]\n${resource.text}`);
  if (mimeOf(resource).startsWith("image/")) return imageOr({ ...resource, data: resource.blob, uri }, uri);
  return text(`[${uri}: ${mimeOf(resource)}, ${kilobytes(resource.blob)} of binary data]`);
}

function imageOr(fields: Fields, name: string): TextPart | ImagePart {
  const data = stringOf(fields.data);
  const mimeType = mimeOf(fields);
  const isUsable = /^image\//.test(mimeType) && data !== "" && data.length <= MAX_IMAGE_CHARS;
  if (!isUsable) return text(`[${name}: ${mimeType}, ${kilobytes(data)}; it cannot be shown]`);
  return { type: "image", data, mimeType, ...(typeof fields.uri === "string" && { uri: fields.uri }) };
}

function linkLine(fields: Fields): string {
  const name = stringOf(fields.title) || stringOf(fields.name) || stringOf(fields.uri);
  const about = [fields.mimeType, fields.description].filter((one) => typeof one === "string" && one !== "");
  return `[${name}](${stringOf(fields.uri)})${about.length === 0 ? "" : ` ${about.join(": ")}`}`;
}

function kilobytes(data: unknown): string {
  return `${Math.round((stringOf(data).length * 3) / 4 / 1024)} KB`;
}

function mimeOf(fields: Fields): string {
  return stringOf(fields.mimeType) || "application/octet-stream";
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
