// A server's input schema, made so that every provider takes it: what they have in common and nothing else. References are
// written out, unions at the top are merged, unknown words are dropped, and the whole is bounded.

import { isFields } from "../json/fields.ts";
import { anything, createCleaner, type Degree, distinct, namesIn, type Schema } from "./clean-schema.ts";

export const MAX_DESCRIPTION_CHARS = 1_024;
export const MAX_SCHEMA_CHARS = 32 * 1024;

export interface ToolSchema {
  readonly schema: object;
  readonly required: readonly string[];
  /** Names a provider does not take, by the name the model is given instead. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** How much of a schema is kept; the first that is small enough is taken. */
const DEGREES: readonly Degree[] = [
  { depth: 12, descriptionChars: MAX_DESCRIPTION_CHARS, nodes: 3_000 },
  { depth: 6, descriptionChars: 240, nodes: 1_500 },
  { depth: 3, descriptionChars: 80, nodes: 600 },
  { depth: 1, descriptionChars: 0, nodes: 300 },
];

export function toToolSchema(given: unknown): ToolSchema {
  for (const degree of DEGREES) {
    const schema = cleanTop(given, degree);
    if (schema !== undefined && JSON.stringify(schema).length <= MAX_SCHEMA_CHARS) return renameTop(schema);
  }
  return { schema: { type: "object", properties: {} }, required: [], renamed: new Map() };
}

/** Nothing when it is too large to look at. */
function cleanTop(given: unknown, degree: Degree): Schema | undefined {
  const cleaner = createCleaner(given, degree);
  const whole = cleaner.clean(given, degree.depth, []);
  if (cleaner.isExhausted()) return undefined;
  const objects = [whole, ...alternatives(whole)].filter(isObjectSchema);
  const properties: Schema = {};
  for (const { properties: some } of objects) {
    for (const [name, schema] of Object.entries((some ?? {}) as Schema)) {
      properties[name] = Object.hasOwn(properties, name) ? either(properties[name], schema) : schema;
    }
  }
  const required = [...namesIn(whole.required), ...commonNames(alternatives(whole).filter(isObjectSchema))];
  const kept = [...new Set(required)].filter((name) => Object.hasOwn(properties, name));
  return {
    type: "object",
    properties,
    ...(kept.length > 0 && { required: kept }),
    ...(typeof whole.description === "string" && { description: whole.description }),
    ...(whole.additionalProperties !== undefined &&
      alternatives(whole).length === 0 && { additionalProperties: whole.additionalProperties }),
  };
}

/** Providers take only some characters in the names of the outermost fields. */
function renameTop(schema: Schema): ToolSchema {
  const renamed = new Map<string, string>();
  const properties: Schema = {};
  const given = Object.entries(schema.properties as Schema);
  const used = new Set(given.map(([name]) => name).filter(isPlainName));
  for (const [name, field] of given) {
    let plain = isPlainName(name) ? name : name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 60) || "_";
    for (let number = 2; plain !== name && used.has(plain); number++) plain = `${plain.slice(0, 58)}_${number}`;
    used.add(plain);
    if (plain !== name) renamed.set(plain, name);
    properties[plain] = field;
  }
  if (renamed.size === 0) return { schema, required: namesIn(schema.required), renamed };
  const plainNames = new Map([...renamed].map(([plain, name]) => [name, plain]));
  const required = namesIn(schema.required).map((name) => plainNames.get(name) ?? name);
  return { schema: { ...schema, properties, ...(required.length > 0 && { required }) }, required, renamed };
}

function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name);
}

function alternatives(schema: Schema): readonly Schema[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf.filter(isFields) : [];
}

function commonNames(schemas: readonly Schema[]): readonly string[] {
  const [first, ...others] = schemas.map((schema) => namesIn(schema.required));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function either(a: unknown, b: unknown): Schema {
  const all = distinct([a, b].flatMap((one) => (isFields(one) ? (Array.isArray(one.anyOf) ? one.anyOf : [one]) : [])));
  const [only, ...others] = all;
  return others.length === 0 ? (only ?? anything()) : { anyOf: all };
}

function isObjectSchema(schema: Schema): boolean {
  return (
    schema.type === "object" ||
    (Array.isArray(schema.type) && schema.type.includes("object")) ||
    isFields(schema.properties)
  );
}
