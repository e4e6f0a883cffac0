// Writes type.ts: one documented type per definition, nothing at run time.

import { docOf, fieldDocOf } from "./doc.ts";
import {
  type Definition,
  type Definitions,
  definitionOf,
  type Field,
  fallbackNames,
  mentions,
  type ObjectDefinition,
  type Shape,
  type Tag,
} from "./shape.ts";
import { commentLines, fileOf, list, type Origin, type Selection } from "./text.ts";

export function emitTypes(definitions: Definitions, { own, shared }: Selection, origin: Origin): string {
  const bodies = own.map((name) => emitDefinition(definitions, definitions.get(name) as Definition));
  const used = own.flatMap((name) => mentions(definitions.get(name) as Definition));
  const imported = [...shared.filter((name) => used.includes(name)), ...(shared.length > 0 ? ["Meta"] : [])].sort();
  return fileOf(origin, [
    'import type { UnknownTag } from "../../decode/decode.ts";',
    ...(imported.length > 0 ? [`import type ${list(imported)} from "../generated/type.ts";`] : []),
    "",
    shared.length > 0 ? `export type ${list([...shared, "Meta"].sort())} from "../generated/type.ts";` : emitMeta(),
    "",
    bodies.join("\n\n"),
  ]);
}

function emitMeta(): string {
  return [...commentLines(docOf("Meta")), "export type Meta = { [key: string]: unknown };"].join("\n");
}

function emitDefinition(definitions: Definitions, definition: Definition): string {
  const comment = commentLines(docOf(definition.name));
  return [...comment, ...declaration(definitions, definition)].join("\n");
}

function declaration(definitions: Definitions, definition: Definition): string[] {
  const { name } = definition;
  switch (definition.type) {
    case "object":
      return objectDeclaration(definitions, definition);
    case "any":
      return [`export type ${name} = unknown;`];
    case "scalar":
      return [`export type ${name} = ${typeOf(definition.shape)};`];
    case "alias":
      return [`export type ${name} = ${definition.of};`];
    case "either":
      return [`export type ${name} = ${union(definition.shapes.map(typeOf))};`];
    case "enum":
      return alternatives(name, [...definition.values.map(literal), ...(definition.open ? ["(string & {})"] : [])]);
    case "tagged":
      return alternatives(name, [...definition.variants.map((variant) => variant.name), ...fallbackNames(definition)]);
    case "keyed":
      return alternatives(
        name,
        definition.variants.map((variant) => variant.name),
      );
    case "lists":
      return [`export type ${name} = readonly ${definition.plain}[] | readonly ${definition.grouped}[];`];
  }
}

function alternatives(name: string, types: readonly string[]): string[] {
  const line = `export type ${name} = ${types.join(" | ")};`;
  if (line.length <= 120) return [line];
  return [`export type ${name} =`, ...types.map((type, i) => `  | ${type}${i === types.length - 1 ? ";" : ""}`)];
}

function objectDeclaration(definitions: Definitions, object: ObjectDefinition): string[] {
  const lines = [
    ...(object.tag === null ? [] : fieldComment(object.name, object.tag.key)),
    ...(object.tag === null ? [] : [tagLine(object.tag)]),
    ...object.fields.flatMap((field) => [...fieldComment(object.name, field.key), fieldLine(field)]),
    ...(object.open ? ["[field: string]: unknown;"] : []),
  ];
  const body = lines.map((line) => `  ${line}`);
  if (object.scope !== null || object.parents.some((parent) => !isInterface(definitions, parent))) {
    const intersected = [...object.parents, ...(object.scope === null ? [] : [object.scope])];
    return [`export type ${object.name} = ${intersected.join(" & ")} & {`, ...body, "};"];
  }
  const parents = object.parents.length > 0 ? ` extends ${object.parents.join(", ")}` : "";
  // An interface without fields would take a number or a string as well.
  if (body.length === 0 && parents === "") return [`export type ${object.name} = { [field: string]: unknown };`];
  return [`export interface ${object.name}${parents} {`, ...body, "}"];
}

function isInterface(definitions: Definitions, name: string): boolean {
  const definition = definitionOf(definitions, name);
  return definition.type === "object" && definition.scope === null;
}

function fieldComment(definition: string, key: string): string[] {
  const doc = fieldDocOf(definition, key);
  return doc === undefined ? [] : commentLines(doc);
}

function tagLine(tag: Tag): string {
  const types = [...tag.values.map(literal), ...(tag.unknown ? ["UnknownTag"] : [])];
  if (!tag.optional) return `${tag.key}: ${union(types)};`;
  return `${tag.key}?: ${union([...types, "undefined"])};`;
}

function fieldLine(field: Field): string {
  if (field.key === "_meta") return "_meta?: Meta | null | undefined;";
  const type = typeOf(field.shape);
  if (field.required) return `${field.key}: ${type};`;
  return field.shape.type === "any" ? `${field.key}?: unknown;` : `${field.key}?: ${type} | undefined;`;
}

function typeOf(shape: Shape): string {
  switch (shape.type) {
    case "any":
      return "unknown";
    case "null":
    case "boolean":
    case "string":
    case "number":
      return shape.type;
    case "integer":
      return "number";
    case "tag":
      return union([...shape.values.map(literal), "UnknownTag"]);
    case "fields":
      return "{ [key: string]: unknown }";
    case "map":
      return `{ [key: string]: ${typeOf(shape.values)} }`;
    case "array":
      return `readonly ${typeOf(shape.items)}[]`;
    case "nullable":
      return union([typeOf(shape.of), "null"]);
    case "ref":
      return shape.name;
  }
}

/** Each type once: an integer and a number are the same here. */
function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function literal(value: string): string {
  return JSON.stringify(value);
}
