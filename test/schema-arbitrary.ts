// Messages as the official schema allows them, and the same messages damaged: what decoders are tested with.

import fc from "fast-check";
import { referenceOf, type Schema, type SchemaNode } from "../scripts/generate-acp/schema.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Messages that fit a definition, with fields nobody described here and there. */
export function messages(schema: Schema): (definition: string) => fc.Arbitrary<unknown> {
  const known = new Map<string, fc.Arbitrary<Json>>();
  const named = (name: string): fc.Arbitrary<Json> => {
    const arbitrary = known.get(name) ?? valueOf(schema.$defs[name] ?? {}, named);
    known.set(name, arbitrary);
    return arbitrary;
  };
  return named;
}

type Named = (name: string) => fc.Arbitrary<Json>;

const text = fc.oneof(fc.constantFrom("", "a", "text", "/w/file.ts", "ünï✓"), fc.string({ maxLength: 6 }));
const anything = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1.5, "", "x", [], {}, [1, "a"], { a: { b: null } }),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}') as Json),
);
const extra = fc.dictionary(fc.constantFrom("future", "x-note", "nested"), anything, { maxKeys: 2 });

function valueOf(node: SchemaNode, named: Named): fc.Arbitrary<Json> {
  const reference = referenceOf(node);
  const parts = [
    ...(reference === null ? [] : [named(reference)]),
    ...(node.oneOf || node.anyOf
      ? [fc.oneof(...(node.oneOf ?? node.anyOf ?? []).map((one) => valueOf(one, named)))]
      : []),
    ...(node.type !== undefined || node.properties !== undefined ? [ownOf(node, named)] : []),
  ];
  if (parts.length === 0) return anything;
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as Json);
}

function ownOf(node: SchemaNode, named: Named): fc.Arbitrary<Json> {
  if (node.const !== undefined) return fc.constant(node.const);
  const types = typeof node.type === "string" ? [node.type] : (node.type ?? ["object"]);
  return fc.oneof(...types.map((type) => ofType(type, node, named)));
}

function ofType(type: string, node: SchemaNode, named: Named): fc.Arbitrary<Json> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return node.minLength === undefined ? text : text.map((value) => value || "a");
    case "number":
      return fc.constantFrom(0, 1, -2.5, 0.25, 1e21);
    case "integer":
      return fc.constantFrom(...integers(node.format));
    case "array":
      return fc.array(valueOf(node.items ?? {}, named), { maxLength: 3 });
    default:
      return objectOf(node, named);
  }
}

function integers(format: string | undefined): number[] {
  switch (format) {
    case "uint16":
      return [0, 1, 65535];
    case "uint32":
      return [0, 1, 4294967295];
    case "uint64":
      return [0, 4294967296, 2 ** 60];
    case "int32":
      return [-2147483648, -32000, 2147483647];
    default:
      return [-1, 0, 2 ** 60];
  }
}

function objectOf(node: SchemaNode, named: Named): fc.Arbitrary<Json> {
  if (typeof node.additionalProperties === "object") {
    return fc.dictionary(fc.constantFrom("a", "b", "type"), valueOf(node.additionalProperties, named), { maxKeys: 2 });
  }
  const properties = Object.entries(node.properties ?? {});
  const fields = Object.fromEntries(
    properties.map(([key, property]) => [
      key,
      // The tag of a variant that takes whatever no other does.
      node.not === undefined ? valueOf(property, named) : fc.constantFrom("future_kind", "toString", "__proto__"),
    ]),
  );
  const required = [...(node.required ?? [])];
  return fc
    .tuple(extra, fc.record(fields, { requiredKeys: required, noNullPrototype: true }))
    .map(([more, own]) => ({ ...more, ...own }) as Json);
}

export interface Damage {
  readonly at: number;
  readonly how: "replace" | "delete" | "insert";
  readonly value: unknown;
}

const hostile = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 65536, 4294967296, 2 ** 60, "", "x", "future_kind", "text", "http", "terminal", "form"],
  ...["boolean", "string", "error", "idle", [], {}, [null], [[]], ["a", 1], { type: "text" }, { group: "g" }, { a: 1 }],
  ...['{"__proto__":{"polluted":true}}', '{"type":"__proto__"}'].map((source) => JSON.parse(source)),
);

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({ at: fc.nat(), how: fc.constantFrom("replace", "replace", "delete", "insert"), value: hostile }),
  { minLength: 1, maxLength: 3 },
);

/** A copy of `message` with each damage done at one of its places. */
export function damaged(message: unknown, all: readonly Damage[]): unknown {
  const box = { message: structuredClone(message) };
  for (const { at, how, value } of all) {
    const places = placesIn(box);
    const [parent, key] = places[at % places.length] ?? [box, "message"];
    if (how === "delete" && parent !== box) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
    else if (how === "insert") insert(parent[key], value);
    else set(parent, key, structuredClone(value));
  }
  return box.message;
}

type Holder = { [key: string]: unknown };

function placesIn(holder: object): [Holder, string][] {
  return Object.entries(holder).flatMap(([key, value]): [Holder, string][] => [
    [holder as Holder, key],
    ...(typeof value === "object" && value !== null ? placesIn(value) : []),
  ]);
}

function insert(into: unknown, value: unknown): void {
  if (Array.isArray(into)) into.unshift(structuredClone(value));
  else if (typeof into === "object" && into !== null) set(into as Holder, "type", structuredClone(value));
}

function set(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Freezes a message all the way down, so that a decoder that changes its input throws. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
