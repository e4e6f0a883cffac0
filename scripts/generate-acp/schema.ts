// Reads the official ACP schema out of the installed package. Knows JSON Schema's keywords, and nothing of our types.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The keywords the ACP schema uses; `toShape` refuses what it does not understand. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly properties?: { readonly [key: string]: SchemaNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly "x-side"?: string;
  readonly "x-method"?: string;
  readonly "x-docs-ignore"?: boolean;
  readonly "x-deserialize-default-on-error"?: boolean;
  readonly "x-deserialize-default-on-null"?: boolean;
  readonly "x-deserialize-skip-invalid-items"?: boolean;
}

export interface Schema {
  readonly $defs: { readonly [name: string]: SchemaNode };
}

export type Stability = "stable" | "unstable";

const schemaFile = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");

export function readSchema(stability: Stability): Schema {
  const file = stability === "stable" ? schemaFile : join(dirname(schemaFile), "schema.unstable.json");
  return JSON.parse(readFileSync(file, "utf8"));
}

export function schemaVersion(): string {
  return JSON.parse(readFileSync(join(dirname(schemaFile), "..", "..", "package.json"), "utf8")).version;
}

/** The definition a reference names, seen through the `allOf` of one that the schema wraps references in. */
export function referenceOf(node: SchemaNode): string | null {
  if (node.$ref !== undefined) return node.$ref.replace("#/$defs/", "");
  if (node.allOf?.length === 1 && node.allOf[0] !== undefined) return referenceOf(node.allOf[0]);
  return null;
}

/** Every definition `node` refers to, as often as it does. Property names are data and never read as keywords. */
export function referencesIn(node: SchemaNode): string[] {
  const below = [
    ...Object.values(node.properties ?? {}),
    ...(node.allOf ?? []),
    ...(node.anyOf ?? []),
    ...(node.oneOf ?? []),
    ...(node.items ? [node.items] : []),
    ...(typeof node.additionalProperties === "object" ? [node.additionalProperties] : []),
  ];
  const own = node.$ref === undefined ? [] : [node.$ref.replace("#/$defs/", "")];
  return [...own, ...below.flatMap(referencesIn)];
}
