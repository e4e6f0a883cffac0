// Unions told apart by one field's literal value: which variants they have, what those are called, and what becomes of
// a tag that no variant has.

import { add, type Builder, fail, nodeOf, type Placement } from "./builder.ts";
import { toFields } from "./field.ts";
import { defineScope } from "./keyed.ts";
import { defaultTags, nameOf, unionsWithoutUnknown, unknownNameOf, variantNameOf } from "./name.ts";
import { referenceOf, type SchemaNode } from "./schema.ts";
import type { Field, TaggedDefinition } from "./shape.ts";

/** The branches of a union by the part they play. */
interface Branches {
  tag: string;
  known: { value: string; node: SchemaNode }[];
  /** Takes every string no known branch has. */
  unknown: SchemaNode | undefined;
  /** Does not ask for the tag. */
  untagged: SchemaNode | undefined;
  /** The tag may be missing or null, and the value is then like one whose tag adds nothing. */
  optionalTag: boolean;
}

export function isTagged(branches: readonly SchemaNode[]): boolean {
  return branches.some((branch) => tagOf(branch) !== undefined);
}

function tagOf(branch: SchemaNode): string | undefined {
  return Object.entries(branch.properties ?? {}).find(([, property]) => typeof property.const === "string")?.[0];
}

function toBranches(nodes: readonly SchemaNode[]): Branches {
  const tag = nodes.map(tagOf).find((found) => found !== undefined) ?? fail(nodes, "has no tag");
  const branches: Branches = { tag, known: [], unknown: undefined, untagged: undefined, optionalTag: false };
  for (const node of nodes) {
    const property = node.properties?.[tag];
    if (typeof property?.const === "string") branches.known.push({ value: property.const, node });
    else if (property?.type === "string" && node.not !== undefined) branches.unknown = node;
    else if (property?.type === "null") branches.optionalTag = true;
    else if (property === undefined && branches.untagged === undefined) branches.untagged = node;
    else fail(node, "is no variant of its union");
  }
  return branches;
}

/** The definitions that a union's variants are made of, and that are therefore not defined on their own. */
export function claimedBodies(union: string, node: SchemaNode): string[] {
  const nodes = node.oneOf ?? node.anyOf;
  if (nodes === undefined || !isTagged(nodes)) return [];
  const { known, untagged } = toBranches(nodes);
  const bodies = known.filter(({ value }) => variantNameOf(union, value) === undefined).map(({ node }) => node);
  return [...bodies, ...(untagged ? [untagged] : [])].flatMap((body) => referenceOf(body) ?? []);
}

export function defineTagged(builder: Builder, schemaName: string, node: SchemaNode, placement: Placement): string {
  const branches = toBranches(node.oneOf ?? node.anyOf ?? []);
  const union: TaggedDefinition = {
    type: "tagged",
    name: nameOf(schemaName),
    tag: branches.tag,
    variants: [],
    otherwise: { type: "refused" },
  };
  add(builder, union);
  const parents = defineBase(builder, node, branches.tag, union.name, placement);
  if (branches.optionalTag) {
    defineOptionallyTagged(builder, schemaName, branches, union, parents);
    return union.name;
  }
  for (const { value, node: branch } of branches.known) {
    union.variants.push({
      values: [value],
      name: defineVariant(builder, schemaName, branch, branches.tag, value, parents),
    });
  }
  union.otherwise = defineOtherwise(builder, schemaName, branches, parents);
  return union.name;
}

/** The fields all variants share, as a definition of its own. */
function defineBase(builder: Builder, node: SchemaNode, tag: string, union: string, placement: Placement): string[] {
  const fields = toFields(builder.schema, node, tag);
  if (fields.length === 0 && placement.tag === null) return placement.parents;
  return [add(builder, { type: "object", name: `${union}Base`, ...placement, fields, scope: null, open: false })];
}

function defineVariant(
  builder: Builder,
  union: string,
  branch: SchemaNode,
  key: string,
  value: string,
  parents: string[],
): string {
  const tag = { key, values: [value], unknown: false, optional: false };
  const name = variantNameOf(union, value);
  const body = referenceOf(branch);
  if (name === undefined) {
    return defineBody(builder, body ?? fail(branch, `needs a name in name.ts: ${union}.${value}`), { parents, tag });
  }
  const bodies = body === null ? [] : [nameOf(body)];
  const fields = toFields(builder.schema, branch, key);
  return add(builder, {
    type: "object",
    name,
    parents: [...parents, ...bodies],
    tag,
    fields,
    scope: null,
    open: false,
  });
}

function defineBody(builder: Builder, body: string, placement: Placement): string {
  if (builder.uses.get(body) !== 1) throw new Error(`${body} is used elsewhere too: name its variant in name.ts.`);
  return builder.define(body, nodeOf(builder.schema, body), placement);
}

function defineOtherwise(
  builder: Builder,
  union: string,
  branches: Branches,
  parents: string[],
): TaggedDefinition["otherwise"] {
  if (unionsWithoutUnknown.has(union)) return { type: "refused" };
  const { untagged, unknown } = branches;
  if (untagged === undefined) return { type: "unknown", name: defineUnknown(builder, union, branches, parents) };
  const own = defaultTags[union];
  const tag = { key: branches.tag, values: own === undefined ? [] : [own], unknown: !unknown, optional: true };
  const fallback = defineDefault(builder, union, untagged, { parents, tag });
  if (unknown === undefined) return { type: "default", name: fallback };
  return { type: "both", default: fallback, unknown: defineUnknown(builder, union, branches, parents) };
}

function defineDefault(builder: Builder, union: string, branch: SchemaNode, placement: Placement): string {
  const body = referenceOf(branch);
  if (body !== null) return defineBody(builder, body, placement);
  const name = variantNameOf(union, "default") ?? fail(branch, `needs a name in name.ts: ${union}.default`);
  return builder.define(name, branch, placement);
}

function defineUnknown(builder: Builder, union: string, { tag: key, unknown }: Branches, parents: string[]): string {
  const tag = { key, values: [], unknown: true, optional: false };
  const scope = unknown?.anyOf === undefined ? null : defineScope(builder, unknown.anyOf);
  return add(builder, { type: "object", name: unknownNameOf(union), parents, tag, fields: [], scope, open: true });
}

/** A union whose tag may be missing: the tags that add no fields share one definition, in which the tag is a field. */
function defineOptionallyTagged(
  builder: Builder,
  union: string,
  { tag, known }: Branches,
  definition: TaggedDefinition,
  parents: string[],
): void {
  const adding = known.filter(({ node }) => referenceOf(node) !== null);
  const values = known.filter(({ node }) => referenceOf(node) === null).map(({ value }) => value);
  const shape = { type: "nullable", of: { type: "tag", values } } as const;
  const field: Field = { key: tag, shape: structuredClone(shape), required: false, tolerance: "default-on-error" };
  const name = variantNameOf(union, "default") ?? fail(definition, `needs a name in name.ts: ${union}.default`);
  for (const { value, node } of adding) {
    definition.variants.push({ values: [value], name: defineVariant(builder, union, node, tag, value, parents) });
  }
  add(builder, { type: "object", name, parents, tag: null, fields: [field], scope: null, open: false });
  definition.otherwise = { type: "default", name };
}
