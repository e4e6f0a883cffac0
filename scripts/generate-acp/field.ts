// Fields and the shapes of their values: nulls collapsed, formats turned into bounds, markers into tolerance.

import { fail, nodeOf } from "./builder.ts";
import { inlined, nameOf } from "./name.ts";
import { referenceOf, type Schema, type SchemaNode } from "./schema.ts";
import type { Field, Shape } from "./shape.ts";

export function toFields(schema: Schema, node: SchemaNode, except?: string): Field[] {
  return Object.entries(node.properties ?? {})
    .filter(([key]) => key !== except)
    .map(([key, property]) => toField(schema, key, property, node.required?.includes(key) ?? false));
}

function toField(schema: Schema, key: string, node: SchemaNode, required: boolean): Field {
  const shape = toShape(schema, node);
  if (shape.type === "any") return { key, shape, required, tolerance: "refuse" };
  if (node["x-deserialize-default-on-null"]) return { key, shape, required, tolerance: "default-on-null" };
  if (!node["x-deserialize-default-on-error"]) return { key, shape, required, tolerance: "refuse" };
  if (node.default !== undefined) return { key, shape, required, tolerance: "default-on-error", default: node.default };
  if (!required) return { key, shape, required, tolerance: "default-on-error" };
  if (shape.type !== "array") return fail(node, "is required, tolerant, and has no default");
  return { key, shape, required, tolerance: "default-on-error", default: [] };
}

export function toShape(schema: Schema, node: SchemaNode): Shape {
  const reference = referenceOf(node);
  if (reference !== null) {
    return inlined.has(reference)
      ? toShape(schema, nodeOf(schema, reference))
      : { type: "ref", name: nameOf(reference) };
  }
  const branches = node.oneOf ?? node.anyOf;
  if (branches !== undefined) return toChoice(schema, branches);
  if (typeof node.type === "object") {
    const [one, nil, ...more] = node.type;
    if (one === undefined || nil !== "null" || more.length > 0)
      return fail(node, "has types that are not one and null");
    return { type: "nullable", of: toShape(schema, { ...node, type: one }) };
  }
  return toBasic(schema, node);
}

function toChoice(schema: Schema, branches: readonly SchemaNode[]): Shape {
  const rest = branches.filter((branch) => branch.type !== "null");
  if (rest.length === 1 && branches.length === 2 && rest[0]) return { type: "nullable", of: toShape(schema, rest[0]) };
  const open = branches.find((branch) => branch.const === undefined && branch.type === "integer");
  if (open !== undefined) return toShape(schema, open);
  return fail(branches, "is a union without a name");
}

function toBasic(schema: Schema, node: SchemaNode): Shape {
  switch (node.type) {
    case undefined:
      return node.properties === undefined ? { type: "any" } : fail(node, "has properties but no type");
    case "null":
    case "boolean":
      return { type: node.type };
    case "string":
      if (node.minLength !== undefined && node.minLength !== 1) return fail(node, "has an unexpected minLength");
      return { type: "string", nonEmpty: node.minLength === 1 };
    case "number":
      return { type: "number" };
    case "integer":
      return toInteger(node);
    case "array": {
      const items = toShape(schema, node.items ?? {});
      return { type: "array", items, skipInvalid: node["x-deserialize-skip-invalid-items"] ?? false };
    }
    case "object":
      if (node.properties !== undefined) return fail(node, "is an object without a name");
      if (typeof node.additionalProperties !== "object") return { type: "fields" };
      return { type: "map", values: toShape(schema, node.additionalProperties) };
    default:
      return fail(node, "has an unexpected type");
  }
}

/** The 64-bit formats have no upper bound here: such an integer arrives rounded, and is better taken than refused. */
function toInteger(node: SchemaNode): Shape {
  switch (node.format) {
    case "uint16":
      return { type: "integer", min: 0, max: 2 ** 16 - 1 };
    case "uint32":
      return { type: "integer", min: 0, max: 2 ** 32 - 1 };
    case "int32":
      return { type: "integer", min: -(2 ** 31), max: 2 ** 31 - 1 };
    case "uint64":
      return { type: "integer", min: 0, max: null };
    case "int64":
      return { type: "integer", min: null, max: null };
    default:
      return fail(node, "has an unexpected integer format");
  }
}
