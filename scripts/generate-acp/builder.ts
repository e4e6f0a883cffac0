// The work table of normalising: the schema, what has been defined from it so far, and how to define more.

import type { Schema, SchemaNode } from "./schema.ts";
import type { Definition, Tag } from "./shape.ts";

/** What a union adds to the definition that one of its variants is made of. */
export interface Placement {
  parents: string[];
  tag: Tag | null;
}

export const nowhere: Placement = { parents: [], tag: null };

export interface Builder {
  readonly schema: Schema;
  readonly definitions: Map<string, Definition>;
  /** How often each definition is referred to. */
  readonly uses: ReadonlyMap<string, number>;
  /** Adds the definition of `node` and those it writes out in place; returns the name it now has. */
  readonly define: (schemaName: string, node: SchemaNode, placement: Placement) => string;
}

export function nodeOf(schema: Schema, name: string): SchemaNode {
  const node = schema.$defs[name];
  if (node === undefined) throw new Error(`The schema has no definition named ${name}.`);
  return node;
}

export function add(builder: Builder, definition: Definition): string {
  if (builder.definitions.has(definition.name)) throw new Error(`Two definitions want the name ${definition.name}.`);
  builder.definitions.set(definition.name, definition);
  return definition.name;
}

export function fail(node: unknown, problem: string): never {
  throw new Error(`A part of the schema ${problem}: ${JSON.stringify(node).slice(0, 400)}`);
}
