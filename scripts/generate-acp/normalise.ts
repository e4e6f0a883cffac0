// Turns the schema into definitions: references unwrapped, nulls collapsed, unions recognised by how they are told
// apart. Fails on anything it does not recognise, so that a new kind of schema is noticed and not misread.

import { add, type Builder, fail, nodeOf, nowhere, type Placement } from "./builder.ts";
import { toFields, toShape } from "./field.ts";
import { defineScope, toKeyed } from "./keyed.ts";
import { inlined, nameOf } from "./name.ts";
import { referenceOf, referencesIn, type Schema, type SchemaNode } from "./schema.ts";
import type { Definition, ObjectDefinition } from "./shape.ts";
import { claimedBodies, defineTagged, isTagged } from "./tagged.ts";

export function normalise(schema: Schema): Map<string, Definition> {
  const reachable = reachableFrom(schema);
  const builder: Builder = {
    schema,
    definitions: new Map(),
    uses: countUses(schema, reachable),
    define: (name, node, placement) => define(builder, name, node, placement),
  };
  const claimed = new Set(reachable.flatMap((name) => claimedBodies(name, nodeOf(schema, name))));
  for (const name of reachable) {
    if (!claimed.has(name) && !inlined.has(name)) builder.define(name, nodeOf(schema, name), nowhere);
  }
  return builder.definitions;
}

/** Everything the methods' params and results are made of, in the schema's order. */
function reachableFrom(schema: Schema): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    referencesIn(nodeOf(schema, name)).forEach(visit);
  };
  for (const [name, node] of Object.entries(schema.$defs)) if (node["x-method"] !== undefined) visit(name);
  return Object.keys(schema.$defs).filter((name) => seen.has(name));
}

function countUses(schema: Schema, names: readonly string[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const used of names.flatMap((name) => referencesIn(nodeOf(schema, name)))) {
    uses.set(used, (uses.get(used) ?? 0) + 1);
  }
  return uses;
}

function define(builder: Builder, schemaName: string, node: SchemaNode, placement: Placement): string {
  const name = nameOf(schemaName);
  const branches = node.oneOf ?? node.anyOf;
  if (branches === undefined) {
    if (node.type === "object") return add(builder, toObject(builder, name, node, placement));
    return add(builder, toPlain(builder, name, node));
  }
  if (isTagged(branches)) return defineTagged(builder, schemaName, node, placement);
  if (node.properties !== undefined) return add(builder, toObject(builder, name, node, placement));
  return add(builder, toUnion(builder, name, schemaName, branches));
}

function toPlain(builder: Builder, name: string, node: SchemaNode): Definition {
  const of = referenceOf(node);
  if (of !== null) return { type: "alias", name, of: nameOf(of) };
  const shape = toShape(builder.schema, node);
  return shape.type === "any" ? { type: "any", name } : { type: "scalar", name, shape };
}

function toObject(builder: Builder, name: string, node: SchemaNode, placement: Placement): ObjectDefinition {
  const branches = node.oneOf ?? node.anyOf;
  const scope = branches === undefined ? null : defineScope(builder, branches);
  return { type: "object", name, ...placement, fields: toFields(builder.schema, node), scope, open: false };
}

function toUnion(builder: Builder, name: string, schemaName: string, branches: readonly SchemaNode[]): Definition {
  if (branches.some((branch) => branch.const !== undefined)) return toEnum(name, branches);
  const [only, second] = branches.map(referenceOf);
  if (branches.length === 1 && typeof only === "string") return { type: "alias", name, of: nameOf(only) };
  if (branches.every((branch) => branch.type === "array")) return toLists(builder, name, branches);
  if (branches.every((branch) => referenceOf(branch) !== null || branch.type === "object") && second !== undefined) {
    return toKeyed(builder, name, schemaName, branches);
  }
  return { type: "either", name, shapes: branches.map((branch) => toShape(builder.schema, branch)) };
}

function toEnum(name: string, branches: readonly SchemaNode[]): Definition {
  const listed = branches.filter((branch) => branch.const !== undefined);
  const rest = branches.filter((branch) => branch.const === undefined);
  if (rest.length > 1 || rest.some((branch) => branch.type !== "string"))
    fail(branches, "is no enumeration of strings");
  return { type: "enum", name, values: listed.map((branch) => String(branch.const)), open: rest.length === 1 };
}

function toLists(builder: Builder, name: string, branches: readonly SchemaNode[]): Definition {
  const [plain, grouped] = branches.map((branch) => (branch.items ? referenceOf(branch.items) : null));
  if (branches.length !== 2 || !plain || !grouped) return fail(branches, "is no pair of lists");
  const known = Object.keys(nodeOf(builder.schema, plain).properties ?? {});
  const key = nodeOf(builder.schema, grouped).required?.find((required) => !known.includes(required));
  if (key === undefined) return fail(branches, "has no key that tells its lists apart");
  return { type: "lists", name, key, plain: nameOf(plain), grouped: nameOf(grouped) };
}
