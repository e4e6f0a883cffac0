// What decoding means, a second time: a slow interpreter of the official schema and its markers, written apart from the
// generator, and the official schema itself with our reading of tags added, for ajv. Decoders are held against both.

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema, SchemaNode } from "../scripts/generate-acp/schema.ts";

export const REFUSED: unique symbol = Symbol("refused");
type Result = unknown | typeof REFUSED;
type Fields = { [key: string]: unknown };

/** Decodes `value` as the definition named `name`: repaired where markers allow it, the same object where nothing was. */
export function decodeByReference(schema: Schema, name: string, value: unknown): Result {
  return new Reference(schema).decode(schema.$defs[name] ?? {}, value, name);
}

/** Unions in which a tag nobody knows is refused. */
const closed = new Set(["SessionConfigOption"]);

class Reference {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  decode(node: SchemaNode, value: unknown, name = ""): Result {
    if (value === undefined) return REFUSED;
    const reference = node.$ref?.replace("#/$defs/", "");
    if (reference !== undefined) return this.decode(this.#schema.$defs[reference] ?? {}, value, reference);
    if (!fits(node, value)) return REFUSED;
    let result = isFields(value) ? this.#fields(node, value) : Array.isArray(value) ? this.#items(node, value) : value;
    for (const part of node.allOf ?? []) if (result !== REFUSED) result = this.decode(part, result);
    const branches = node.oneOf ?? node.anyOf;
    return branches === undefined || result === REFUSED ? result : this.#union(branches, result, name);
  }

  #fields(node: SchemaNode, value: Fields): Result {
    let result = value;
    const change = (key: string, to: unknown) => {
      if (result === value) result = { ...value };
      if (to === undefined) delete result[key];
      else Object.defineProperty(result, key, { value: to, writable: true, enumerable: true, configurable: true });
    };
    for (const [key, property] of Object.entries(node.properties ?? {})) {
      const before = Object.hasOwn(value, key) ? value[key] : undefined;
      const after = this.#field(property, before, node.required?.includes(key) ?? false);
      if (after === REFUSED) return REFUSED;
      if (after !== before) change(key, after);
    }
    if (typeof node.additionalProperties !== "object") return result;
    for (const [key, before] of Object.entries(value)) {
      const after = this.decode(node.additionalProperties, before);
      if (after === REFUSED) return REFUSED;
      if (after !== before) change(key, after);
    }
    return result;
  }

  /** The field's value afterwards; undefined when it is not there. */
  #field(node: SchemaNode, value: unknown, required: boolean): Result {
    const empty = node.type === "object" ? {} : [];
    if (node["x-deserialize-default-on-null"] && (value === null || (value === undefined && required))) return empty;
    if (value === undefined) return required ? REFUSED : undefined;
    const result = this.decode(node, value);
    if (result !== REFUSED || !node["x-deserialize-default-on-error"]) return result;
    return node.default === undefined ? (required ? empty : undefined) : structuredClone(node.default);
  }

  #items(node: SchemaNode, value: unknown[]): Result {
    if (node.items === undefined) return value;
    const results = value.map((item) => this.decode(node.items as SchemaNode, item));
    if (results.every((result, i) => result === value[i])) return value;
    if (node["x-deserialize-skip-invalid-items"]) return results.filter((result) => result !== REFUSED);
    return results.includes(REFUSED) ? REFUSED : results;
  }

  #union(branches: readonly SchemaNode[], value: unknown, name: string): Result {
    const tag = tagOf(branches);
    if (tag === undefined) return this.#first(inOrder(branches, value), value);
    if (!isFields(value)) return REFUSED;
    const found = value[tag];
    const known = branches.filter((branch) => branch.properties?.[tag]?.const === found && found !== undefined);
    if (known.length > 0) return this.#first(known, value);
    const other = branches.filter((branch) => branch.not !== undefined);
    if (typeof found === "string" && other.length > 0) return this.#first(other, value);
    const untagged = branches.filter((branch) => !other.includes(branch) && !hasConstant(branch, tag));
    if (untagged.length > 0) return this.#first(untagged, value);
    return typeof found === "string" && !closed.has(name) ? value : REFUSED;
  }

  #first(branches: readonly SchemaNode[], value: unknown): Result {
    for (const branch of branches) {
      const result = this.decode(branch, value);
      if (result !== REFUSED) return result;
    }
    return REFUSED;
  }
}

/** A list whose first item is in a group is read as a list of groups, if it can be. */
function inOrder(branches: readonly SchemaNode[], value: unknown): readonly SchemaNode[] {
  const isGrouped = Array.isArray(value) && isFields(value[0]) && value[0].group !== undefined;
  return isGrouped && branches.every((branch) => branch.type === "array") ? branches.toReversed() : branches;
}

function tagOf(branches: readonly SchemaNode[]): string | undefined {
  const properties = branches.flatMap((branch) => Object.entries(branch.properties ?? {}));
  return properties.find(([, property]) => property.const !== undefined)?.[0];
}

function hasConstant(branch: SchemaNode, tag: string): boolean {
  return branch.properties?.[tag]?.const !== undefined;
}

function fits(node: SchemaNode, value: unknown): boolean {
  const types = typeof node.type === "string" ? [node.type] : node.type;
  if (types?.some((type) => isOfType(type, value)) === false) return false;
  if (node.const !== undefined && node.const !== value) return false;
  if (typeof value === "string" && value.length < (node.minLength ?? 0)) return false;
  return typeof value !== "number" || isInFormat(node.format, value);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isFields(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const bounds: { readonly [format: string]: readonly [number, number] } = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, Number.POSITIVE_INFINITY],
  int64: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  double: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

function isInFormat(format: string | undefined, value: number): boolean {
  const [min, max] = bounds[format ?? "double"] ?? [0, 0];
  return value >= min && value <= max;
}

/** Validates by ajv: `official` as the schema is, `ours` with unknown variants taken and known tags never demoted. */
export function validators(schema: Schema): { official: Validator; ours: Validator } {
  return { official: toValidator(schema), ours: toValidator(withOurTags(schema)) };
}

type Validator = (definition: string, value: unknown) => boolean;

function toValidator(schema: Schema): Validator {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, logger: false });
  for (const format of Object.keys(bounds)) {
    ajv.addFormat(format, { type: "number", validate: (value: number) => isInFormat(format, value) });
  }
  ajv.addFormat("uri", true);
  ajv.addSchema({ $id: "acp", $defs: schema.$defs });
  return (definition, value) => ajv.getSchema(`acp#/$defs/${definition}`)?.(value) === true;
}

function withOurTags(schema: Schema): Schema {
  const defs = Object.entries(schema.$defs).map(([name, node]): [string, SchemaNode] => [
    name,
    withOtherBranch(name, node),
  ]);
  return { $defs: Object.fromEntries(defs) };
}

function withOtherBranch(name: string, node: SchemaNode): SchemaNode {
  const branches = node.oneOf ?? node.anyOf;
  const tag = branches === undefined ? undefined : tagOf(branches);
  if (branches === undefined || tag === undefined) return node;
  const { oneOf: _, anyOf: __, ...rest } = node;
  const known = branches.filter((branch) => hasConstant(branch, tag));
  const none: SchemaNode = {
    not: {
      anyOf: known.map((branch) => ({
        type: "object",
        properties: { [tag]: branch.properties?.[tag] ?? {} },
        required: [tag],
      })),
    },
  };
  const others = branches.filter((branch) => !hasConstant(branch, tag)).map((branch) => ({ allOf: [branch, none] }));
  const unknown: SchemaNode[] = [
    { type: "object", properties: { [tag]: { type: "string" } }, required: [tag], ...none },
  ];
  return { ...rest, anyOf: [...known, ...others, ...(others.length > 0 || closed.has(name) ? [] : unknown)] };
}
