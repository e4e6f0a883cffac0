// One schema inside of a server's input schema, in the words all providers know. References are written out, circles are
// cut, unknown words are dropped.

import { isFields } from "../json/fields.ts";
import { borderBefore } from "../tool/cut.ts";
import { findPointer } from "./json-pointer.ts";

export type Schema = Record<string, unknown>;

/** How much of a schema is kept. */
export interface Degree {
  readonly depth: number;
  readonly descriptionChars: number;
  readonly nodes: number;
}

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const COPIED: Readonly<Record<string, readonly string[]>> = {
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["minItems", "maxItems"],
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};
const MAX_DEFAULT_CHARS = 200;
const MAX_ENUM = 500;

/** Cleans schemas that are found in one document, and counts how much it looked at. */
export function createCleaner(root: unknown, degree: Degree) {
  let nodes = 0;

  /** `path` holds the references that are being written out: one that is met again is a circle. */
  function clean(given: unknown, depth: number, path: readonly string[]): Schema {
    nodes++;
    if (nodes > degree.nodes || depth < 0 || !isFields(given)) return anything();
    if (typeof given.$ref === "string") return reference(given, given.$ref, depth, path);
    const merged = Array.isArray(given.allOf) ? mergeAll(given, depth, path) : given;
    const union = unionOf(merged);
    if (union !== undefined) return cleanUnion(merged, union, depth, path);
    const types = typesOf(merged);
    const [type] = types;
    if (types.length > 1) return described({ anyOf: types.map((one) => cleanTyped(merged, one, depth, path)) }, merged);
    return type === undefined
      ? described(anything(), merged)
      : described(cleanTyped(merged, type, depth, path), merged);
  }

  function reference(given: Schema, target: string, depth: number, path: readonly string[]): Schema {
    const { $ref, ...beside } = given;
    const found = findPointer(root, target);
    if (path.includes(target) || !isFields(found)) return described({ type: "object" }, given);
    return clean({ ...found, ...beside }, depth, [...path, target]);
  }

  /** Later ones add to earlier ones. */
  function mergeAll(given: Schema, depth: number, path: readonly string[]): Schema {
    const { allOf, ...own } = given;
    const parts = (allOf as unknown[]).slice(0, 50).map((part) => {
      const target = isFields(part) && typeof part.$ref === "string" ? part.$ref : undefined;
      const found = target === undefined || path.includes(target) ? part : findPointer(root, target);
      if (!isFields(found) || depth <= 0) return {};
      return Array.isArray(found.allOf) ? mergeAll(found, depth - 1, target ? [...path, target] : path) : found;
    });
    return [...parts, own].reduce<Schema>((whole, part) => mergeTwo(whole, part), {});
  }

  function cleanUnion(given: Schema, union: readonly unknown[], depth: number, path: readonly string[]): Schema {
    const { anyOf, oneOf, ...own } = given;
    const isBare = typesOf(own).length === 0 && own.properties === undefined;
    const all = union
      .slice(0, 50)
      .map((one) => clean(isBare || !isFields(one) ? one : mergeTwo(own, one), depth - 1, path));
    const flat = distinct(all.flatMap((one) => (Array.isArray(one.anyOf) && !one.description ? one.anyOf : [one])));
    const solid = flat.filter((one) => one.type !== "null");
    const isNullable = solid.length < flat.length;
    const [only] = solid;
    if (only === undefined) return described({ type: "null" }, given);
    if (solid.length > 1) return described({ anyOf: isNullable ? [...solid, { type: "null" }] : solid }, given);
    if (isNullable) return described(nullable(only), given);
    return described(only, given);
  }

  function cleanTyped(given: Schema, type: string, depth: number, path: readonly string[]): Schema {
    const [base, isNullable] = type.endsWith("?") ? [type.slice(0, -1), true] : [type, false];
    const schema: Schema = { type: base };
    for (const word of COPIED[base] ?? []) if (isPlainValue(given[word])) schema[word] = given[word];
    // What looks around in a text is more than some providers understand.
    if (typeof schema.pattern === "string" && /\(\?[^:]/.test(schema.pattern)) delete schema.pattern;
    if (FORMATS[base]?.includes(String(given.format))) schema.format = given.format;
    if (isSmall(given.default)) schema.default = given.default;
    if (base === "object") Object.assign(schema, objectWords(given, depth, path));
    if (base === "array") Object.assign(schema, arrayWords(given, depth, path));
    return isNullable ? nullable(withChoices(schema, given, base)) : withChoices(schema, given, base);
  }

  function objectWords(given: Schema, depth: number, path: readonly string[]): Schema {
    if (depth <= 0) return {};
    const properties: Schema = {};
    if (isFields(given.properties)) {
      for (const [name, one] of Object.entries(given.properties)) {
        if (name !== "__proto__") properties[name] = clean(one, depth - 1, path);
      }
    }
    const required = namesIn(given.required).filter((name) => Object.hasOwn(properties, name));
    const { additionalProperties: more } = given;
    return {
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(more === false && { additionalProperties: false }),
      ...(isFields(more) && Object.keys(more).length > 0 && { additionalProperties: clean(more, depth - 1, path) }),
    };
  }

  /** Tuples become lists of whatever their places hold. */
  function arrayWords(given: Schema, depth: number, path: readonly string[]): Schema {
    const places = Array.isArray(given.prefixItems) ? given.prefixItems : given.items;
    if (!Array.isArray(places)) return { items: depth <= 0 ? anything() : clean(given.items, depth - 1, path) };
    const items = distinct(places.slice(0, 20).map((one) => clean(one, depth - 1, path)));
    return {
      items: items.length > 1 ? { anyOf: items } : (items[0] ?? anything()),
      minItems: given.minItems ?? places.length,
      ...(given.items === false || given.additionalItems === false ? { maxItems: places.length } : {}),
    };
  }

  function described(schema: Schema, given: Schema): Schema {
    const said = typeof given.description === "string" ? given.description : schema.description;
    const choices = typeof schema.description === "string" && schema.description !== said ? schema.description : "";
    const whole = [typeof said === "string" ? said.trim() : "", choices].filter(Boolean).join(" ");
    const { description, ...rest } = schema;
    return whole === "" || degree.descriptionChars === 0
      ? rest
      : { ...rest, description: boundText(whole, degree.descriptionChars) };
  }

  return { clean, isExhausted: () => nodes > degree.nodes };
}

/** Not every provider takes a schema without a type. */
export function anything(): Schema {
  return { anyOf: ["string", "number", "boolean", "object"].map((type) => ({ type })) };
}

function nullable(schema: Schema): Schema {
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  return Array.isArray(schema.anyOf) ? { ...schema, anyOf: [...schema.anyOf, { type: "null" }] } : schema;
}

/** A choice of strings stays one; of anything else it is told, as not every provider takes it. */
function withChoices(schema: Schema, given: Schema, type: string): Schema {
  const values = "const" in given ? [given.const] : Array.isArray(given.enum) ? given.enum : [];
  const choices = values.slice(0, MAX_ENUM).filter((value) => value !== null && value !== "");
  if (choices.length === 0 || type === "object" || type === "array") return schema;
  if (type === "string") return { ...schema, enum: [...new Set(choices.map(String))] };
  return { ...schema, description: `One of: ${choices.map((value) => JSON.stringify(value)).join(", ")}.` };
}

/** A type that may be null is marked with `?`. */
function typesOf(schema: Schema): readonly string[] {
  const named = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type): type is string => typeof type === "string" && TYPES.has(type),
  );
  const types = named.length > 0 ? named : guessTypes(schema);
  const solid = [...new Set(types.filter((type) => type !== "null"))];
  if (solid.length === 0) return types.length > 0 ? ["null"] : [];
  const isNullable =
    solid.length < new Set(types).size ||
    schema.nullable === true ||
    (Array.isArray(schema.enum) && schema.enum.includes(null));
  return isNullable && solid.length === 1 ? [`${solid[0]}?`] : isNullable ? [...solid, "null"] : solid;
}

function guessTypes(schema: Schema): readonly string[] {
  if (isFields(schema.properties) || schema.additionalProperties !== undefined) return ["object"];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ["array"];
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const known = values.map((value) => (value === null ? "null" : typeof value));
  if (known.length > 0) return known.every((type) => TYPES.has(type)) ? [...new Set(known)] : [];
  if (schema.pattern !== undefined || schema.minLength !== undefined || schema.format !== undefined) return ["string"];
  return schema.minimum !== undefined || schema.maximum !== undefined ? ["number"] : [];
}

function unionOf(schema: Schema): readonly unknown[] | undefined {
  const unions = [schema.anyOf, schema.oneOf].filter((one): one is unknown[] => Array.isArray(one) && one.length > 0);
  return unions.length === 0 ? undefined : unions.flat();
}

function mergeTwo(a: Schema, b: Schema): Schema {
  const properties =
    isFields(a.properties) || isFields(b.properties)
      ? {
          properties: {
            ...(isFields(a.properties) ? a.properties : {}),
            ...(isFields(b.properties) ? b.properties : {}),
          },
        }
      : {};
  const required = [...new Set([...namesIn(a.required), ...namesIn(b.required)])];
  const description = b.description ?? a.description;
  return {
    ...a,
    ...b,
    ...properties,
    ...(required.length > 0 && { required }),
    ...(description !== undefined && { description }),
  };
}

export function distinct(schemas: readonly unknown[]): Schema[] {
  return [...new Map(schemas.filter(isFields).map((schema) => [JSON.stringify(schema), schema])).values()];
}

export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

function isPlainValue(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

function isSmall(value: unknown): boolean {
  return value !== undefined && value !== null && (JSON.stringify(value)?.length ?? 0) <= MAX_DEFAULT_CHARS;
}

export function boundText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, borderBefore(text, maxChars - 1))}…`;
}
