// Messages as the official schema allows them, and the same messages damaged: what decoders are tested with.

import fc from "fast-check";
import { referenceOf, type Schema, type SchemaNode } from "../scripts/generate-acp/schema.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Messages that fit a definition, with fields nobody described here and there. With `fields: "every"` nothing that is
 * optional is left out, and nothing is null that need not be.
 */
export function messages(
  schema: Schema,
  { fields }: { fields: "some" | "every" },
): (definition: string) => fc.Arbitrary<unknown> {
  const known = new Map<string, fc.Arbitrary<Json>>();
  const source: Source = {
    isFull: fields === "every",
    named: (name) => {
      const arbitrary = known.get(name) ?? arbitraryOf(schema.$defs[name] ?? {}, source);
      known.set(name, arbitrary);
      return arbitrary;
    },
  };
  return source.named;
}

interface Source {
  readonly isFull: boolean;
  readonly named: (definition: string) => fc.Arbitrary<Json>;
}

const text = fc.oneof(fc.constantFrom("", "a", "text", "/w/file.ts", "ünï✓"), fc.string({ maxLength: 6 }));
const anything = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1.5, "", "x", [], {}, [1, "a"], { a: { b: null } }),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}') as Json),
);
const extra = fc.dictionary(fc.constantFrom("future", "x-note", "nested"), anything, { maxKeys: 2 });

function arbitraryOf(node: SchemaNode, source: Source): fc.Arbitrary<Json> {
  const reference = referenceOf(node);
  const parts = [
    ...(reference === null ? [] : [source.named(reference)]),
    ...(node.oneOf || node.anyOf ? [oneOf(node.oneOf ?? node.anyOf ?? [], source)] : []),
    ...(node.type !== undefined || node.properties !== undefined ? [ownOf(node, source)] : []),
  ];
  if (parts.length === 0) return anything;
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as Json);
}

function oneOf(branches: readonly SchemaNode[], source: Source): fc.Arbitrary<Json> {
  const chosen = source.isFull ? branches.filter((branch) => branch.type !== "null") : branches;
  return fc.oneof(...chosen.map((branch) => arbitraryOf(branch, source)));
}

function ownOf(node: SchemaNode, source: Source): fc.Arbitrary<Json> {
  if (node.const !== undefined) return fc.constant(node.const);
  const types = typeof node.type === "string" ? [node.type] : (node.type ?? ["object"]);
  const chosen = source.isFull && types.length > 1 ? types.filter((type) => type !== "null") : types;
  return fc.oneof(...chosen.map((type) => ofType(type, node, source)));
}

function ofType(type: string, node: SchemaNode, source: Source): fc.Arbitrary<Json> {
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
      return fc.array(
        arbitraryOf(node.items ?? {}, source),
        source.isFull ? { minLength: 1, maxLength: 1 } : { maxLength: 3 },
      );
    default:
      return objectOf(node, source);
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

function objectOf(node: SchemaNode, source: Source): fc.Arbitrary<Json> {
  if (typeof node.additionalProperties === "object") {
    const keys = fc.constantFrom("a", "b", "type");
    const size = source.isFull ? { minKeys: 1, maxKeys: 1 } : { maxKeys: 2 };
    return fc.dictionary(keys, arbitraryOf(node.additionalProperties, source), size);
  }
  const properties = Object.entries(node.properties ?? {});
  const fields = Object.fromEntries(
    properties.map(([key, property]) => [
      key,
      // The tag of a variant that takes whatever no other does.
      node.not === undefined ? arbitraryOf(property, source) : fc.constantFrom("future_kind", "toString", "__proto__"),
    ]),
  );
  const required = source.isFull ? Object.keys(fields) : [...(node.required ?? [])];
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
  const box: Holder = { message: structuredClone(message) };
  for (const { at, how, value } of all) {
    const places = placesIn(box);
    const [parent, key] = places[at % places.length] ?? [box, "message"];
    if (how === "delete" && parent !== box) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
    else if (how === "insert") insert(parent[key], value);
    else set(parent, key, structuredClone(value));
  }
  return box.message;
}

/** A copy of `message` with one place missing or of another type: each in turn, and always in the same object. */
export function* eachFault(message: unknown): Generator<unknown> {
  const box: Holder = { message: structuredClone(message) };
  for (const [parent, key] of placesIn(box)) {
    const before = parent[key];
    for (const value of [undefined, null, true, -0.5, "x", [], {}]) {
      set(parent, key, value);
      yield box.message;
    }
    set(parent, key, before);
  }
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
