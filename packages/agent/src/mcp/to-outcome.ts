// What a server answered to a call, to what the model is told and the person sees of it.

import { fieldsOf } from "../json/fields.ts";
import { type ImagePart, type TextPart, text } from "../message/message.ts";
import { borderBefore } from "../tool/cut.ts";
import type { ToolOutcome } from "../tool/tool.ts";
import { toToldParts } from "./to-parts.ts";

export const MAX_RESULT_CHARS = 1_000_000;
const MAX_PARTS = 200;
const MAX_IMAGES = 20;

/** `told` hides what must not be told. */
export function toOutcome(result: unknown, told: (text: string) => string): ToolOutcome {
  const { content, structuredContent, isError } = fieldsOf(result);
  const blocks = Array.isArray(content) ? content : [];
  const parts = bounded(blocks.slice(0, MAX_PARTS).flatMap(toToldParts));
  if (blocks.length > MAX_PARTS) parts.push(text(`[… ${blocks.length - MAX_PARTS} more parts left out]`));
  if (parts.length === 0 && structuredContent !== undefined) {
    parts.push(...bounded([text(JSON.stringify(structuredContent, null, 2) ?? "")]));
  }
  if (parts.length === 0) parts.push(text(isError === true ? "It failed, and did not say why." : "(no output)"));
  const clean = parts.map((part) => (part.type === "text" ? text(told(part.text)) : part));
  return { failed: isError === true, told: clean };
}

/** Nobody reads more; it would only be carried around. */
function bounded(parts: readonly (TextPart | ImagePart)[]): (TextPart | ImagePart)[] {
  let leftChars = MAX_RESULT_CHARS;
  let leftImages = MAX_IMAGES;
  return parts.flatMap((part): (TextPart | ImagePart)[] => {
    if (part.type === "image") return leftImages-- > 0 ? [part] : [text("[one more image, left out]")];
    const room = leftChars;
    leftChars = Math.max(leftChars - part.text.length, 0);
    if (part.text === "") return [];
    if (part.text.length <= room) return [part];
    const head = part.text.slice(0, borderBefore(part.text, room));
    const left = (part.text.length - head.length).toLocaleString("en-US");
    return [text(`${head}\n[… ${left} more characters left out: results are kept up to 1 MB]`)];
  });
}
