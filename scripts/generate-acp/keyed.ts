// Unions without a tag, whose alternatives are told apart by which key is there.

import { add, type Builder, fail, nodeOf, nowhere } from "./builder.ts";
import { nameInPlace, nameOf, variantNameOf } from "./name.ts";
import { referenceOf, type Schema, type SchemaNode } from "./schema.ts";
import type { Definition } from "./shape.ts";

/** The union, written out in place, of which one alternative must hold next to an object's own fields. */
export function defineScope(builder: Builder, branches: readonly SchemaNode[]): string {
  const alternatives = branches.map((branch) => referenceOf(branch) ?? fail(branch, "is no reference"));
  const name = nameInPlace(alternatives);
  if (!builder.definitions.has(name)) add(builder, toKeyed(builder, name, name, branches));
  return name;
}

export function toKeyed(builder: Builder, name: string, union: string, branches: readonly SchemaNode[]): Definition {
  const nodes = branches.map((branch) => nodeAt(builder.schema, branch));
  const variants = branches.map((branch, i) => {
    const others = nodes.filter((_, j) => j !== i).flatMap((node) => node.required ?? []);
    const key = nodes[i]?.required?.find((required) => !others.includes(required));
    if (key === undefined) return fail(branch, "has no key of its own");
    const reference = referenceOf(branch);
    if (reference !== null) return { key, name: nameOf(reference) };
    const inPlace = variantNameOf(union, key) ?? fail(branch, `needs a name in name.ts: ${union}.${key}`);
    return { key, name: builder.define(inPlace, branch, nowhere) };
  });
  return { type: "keyed", name, variants };
}

function nodeAt(schema: Schema, branch: SchemaNode): SchemaNode {
  const reference = referenceOf(branch);
  return reference === null ? branch : nodeOf(schema, reference);
}
