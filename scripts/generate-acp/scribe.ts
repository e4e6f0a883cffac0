// Who writes decoders keeps note of which other decoders they call, so that only those that are called are written.

import { type Definitions, definitionOf, type Shape } from "./shape.ts";

export interface Scribe {
  readonly definitions: Definitions;
  readonly wanted: Set<string>;
}

/** The function that decodes a definition: its own, or that of what it adds nothing but a tag to. */
export function decoderOf(scribe: Scribe, name: string): string {
  const definition = definitionOf(scribe.definitions, name);
  if (definition.type === "any") return "decodeAny";
  if (definition.type === "scalar") return itemDecoderOf(scribe, definition.shape);
  if (definition.type === "enum" && definition.open) return "decodeString";
  if (definition.type === "object" && definition.fields.length === 0 && definition.scope === null) {
    const [parent, second] = definition.parents;
    if (parent !== undefined && second === undefined) return decoderOf(scribe, parent);
  }
  scribe.wanted.add(`decode${definition.name}`);
  return `decode${definition.name}`;
}

/** The decoder to pass for the items of a list or the values of a map. */
export function itemDecoderOf(scribe: Scribe, shape: Shape): string {
  if (shape.type === "string" && !shape.nonEmpty) return "decodeString";
  if (shape.type === "ref") return decoderOf(scribe, shape.name);
  throw new Error(`No decoder for items of type ${shape.type}.`);
}
