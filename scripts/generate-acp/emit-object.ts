// Writes the body of an object's decoder, field by field.

import { checkOf, expected } from "./check.ts";
import { decoderOf, itemDecoderOf, type Scribe } from "./scribe.ts";
import {
  allFields,
  allTags,
  definitionOf,
  type Field,
  type ObjectDefinition,
  objectOf,
  type Shape,
  type Tag,
} from "./shape.ts";
import { capitalised } from "./text.ts";

export function emitObject(scribe: Scribe, object: ObjectDefinition): string[] {
  const fields = allFields(scribe.definitions, object);
  const lines = [
    ...allTags(scribe.definitions, object).flatMap(emitTag),
    ...fields.filter(({ key }) => key !== "_meta").flatMap((field) => emitField(scribe, field)),
  ];
  if (object.scope !== null) lines.push(...emitScope(scribe, object.scope));
  const repairs = lines.some((line) => line.includes("fields = "));
  return [
    'if (!isFields(value)) return refuse("an object");',
    ...(repairs ? ["let fields = value;"] : []),
    ...lines,
    `return ${returned(repairs ? "fields" : "value", fields)} as unknown as ${object.name};`,
  ];
}

/** Nearly every object has `_meta`: one function looks at it, since a hundred copies of it would be read at every start. */
function returned(name: string, fields: readonly Field[]): string {
  return fields.some(({ key }) => key === "_meta") ? `withMeta(${name}, value)` : name;
}

/** The union has read the tag already, but it is not the only one that may call a variant's decoder. */
function emitTag({ key, values, unknown, optional }: Tag): string[] {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0 || unknown || optional) return [];
  return refusal(`value.${key} !== ${JSON.stringify(value)}`, key, `the tag ${value}`);
}

/** Fields of which one group or the other must be there; the first that is there is the one that is read. */
function emitScope(scribe: Scribe, scope: string): string[] {
  const definition = definitionOf(scribe.definitions, scope);
  if (definition.type !== "keyed") throw new Error(`${scope} is not told apart by keys.`);
  const keys = definition.variants.map(({ key }) => key).join(" or ");
  const refused = [`  return refuse("an object with ${keys}");`, "}"];
  return definition.variants.flatMap(({ name }, i) => {
    const { fields } = objectOf(scribe.definitions, name);
    const [field, ...more] = fields.filter((field) => field.required);
    const check = field === undefined ? null : checkOf(scribe, field.shape, `value.${field.key}`);
    if (check === null || more.length > 0) throw new Error(`${name} is not told by one plain field.`);
    const rest = fields.filter((other) => other !== field).flatMap((other) => emitField(scribe, other));
    const start = i === 0 ? "if" : "} else if";
    const isLast = i === definition.variants.length - 1;
    if (isLast && rest.length === 0) return [`${start} (${check.wrong}) {`, ...refused];
    return [`${start} (${check.right}) {`, ...indented(rest), ...(isLast ? ["} else {", ...refused] : [])];
  });
}

function emitField(scribe: Scribe, field: Field): string[] {
  const { key, shape, required, tolerance } = field;
  if (shape.type === "any") return required ? refusal(`value.${key} === undefined`, key, "a value") : [];
  const what = expected(scribe.definitions, shape);
  const name = localOf(key);
  const read = `const ${name} = value.${key};`;
  const check = checkOf(scribe, shape, name);
  if (tolerance === "default-on-null") return [read, ...emitDefaultOnNull(scribe, field, name)];
  if (check === null) return [read, ...emitDecoded(scribe, field, name, what)];
  if (tolerance === "default-on-error") {
    if (required) throw new Error(`${key} is required and tolerant, but no list.`);
    return [read, ...guarded(`${name} !== undefined && ${grouped(check.wrong)}`, repair(field))];
  }
  if (!required) return [read, ...refusal(`${name} !== undefined && ${grouped(check.wrong)}`, key, what)];
  const direct = checkOf(scribe, shape, `value.${key}`)?.wrong ?? "";
  if (direct.split(`value.${key}`).length === 2) return refusal(direct, key, what);
  return [read, ...refusal(check.wrong, key, what)];
}

/** A field whose value is decoded by a function, and replaced when that function had to repair it. */
function emitDecoded(scribe: Scribe, field: Field, name: string, what: string): string[] {
  const { key, shape, required, tolerance } = field;
  const inner = shape.type === "nullable" ? shape.of : shape;
  const decoded = `${name}Decoded`;
  const isTolerant = tolerance === "default-on-error";
  const onInvalid = isTolerant ? repair(field) : [`return refusedAt("${key}");`];
  const lines = [
    `const ${decoded} = ${decodeCall(scribe, inner, name)};`,
    `if (${decoded} !== ${name}) {`,
    ...indented(guarded(`${decoded} === INVALID`, onInvalid)),
    `  ${isTolerant ? "else " : ""}fields = put(fields, value, "${key}", ${decoded});`,
    "}",
  ];
  if (required && shape.type === "nullable") throw new Error(`${key} is required and nullable, which is not handled.`);
  if (required && tolerance === "refuse") return lines;
  if (required) return [...refusal(`${name} === undefined`, key, what), ...lines];
  const isThere = shape.type === "nullable" ? `${name} !== undefined && ${name} !== null` : `${name} !== undefined`;
  return [`if (${isThere}) {`, ...indented(lines), "}"];
}

/** Null is read as empty. So is a required field that is missing: older peers leave out what they have nothing for. */
function emitDefaultOnNull(scribe: Scribe, field: Field, name: string): string[] {
  const { key, shape, required } = field;
  const empty = shape.type === "array" ? "[]" : "{}";
  const [first, ...rest] = emitDecoded(scribe, { ...field, required: false, tolerance: "refuse" }, name, "");
  const isEmpty = required ? `${name} === undefined || ${name} === null` : `${name} === null`;
  const otherwise = required ? "} else {" : `} else ${first}`;
  return [`if (${isEmpty}) {`, `  fields = put(fields, value, "${key}", ${empty});`, otherwise, ...rest];
}

function decodeCall(scribe: Scribe, shape: Shape, subject: string): string {
  switch (shape.type) {
    case "array":
      return `${shape.skipInvalid ? "decodeValid" : "decodeEach"}(${subject}, ${itemDecoderOf(scribe, shape.items)})`;
    case "map":
      return `decodeValues(${subject}, ${itemDecoderOf(scribe, shape.values)})`;
    case "ref":
      return `${decoderOf(scribe, shape.name)}(${subject})`;
    default:
      throw new Error(`No decoder for ${shape.type}.`);
  }
}

function repair({ key, default: value }: Field): string[] {
  if (value === undefined) return [`fields = drop(fields, value, "${key}");`];
  const line = `fields = put(fields, value, "${key}", ${literalOf(value)});`;
  if (line.length <= 90 || typeof value !== "object" || value === null) return [line];
  const entries = Object.entries(value).map(([name, item]) => `  ${name}: ${literalOf(item)},`);
  return [`fields = put(fields, value, "${key}", {`, ...entries, "});"];
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${literalOf(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function refusal(condition: string, key: string, what: string): string[] {
  return guarded(condition, [`return refuseField("${key}", ${JSON.stringify(what)});`]);
}

/** One line where it fits, also when it is indented twice. */
function guarded(condition: string, statement: readonly string[]): string[] {
  const line = `if (${condition}) ${statement.join("")}`;
  return statement.length === 1 && line.length <= 112 ? [line] : [`if (${condition}) {`, ...indented(statement), "}"];
}

function grouped(condition: string): string {
  return condition.includes(" || ") ? `(${condition})` : condition;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

const taken = new Set(["value", "fields", "default", "enum", "const", "delete"]);

/** The name of the local variable a field is read into. */
function localOf(key: string): string {
  const name = key.replace(/^_/, "");
  return taken.has(name) ? `own${capitalised(name)}` : name;
}
