// Every decoder against the official schema: valid messages pass untouched, damaged ones fare as a second, independent
// reading of the schema says.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSchema, referencesIn, type Schema } from "../../../../scripts/generate-acp/schema.ts";
import { damaged, damages, eachFault, frozen, messages } from "../../../../test/schema-arbitrary.ts";
import { decodeByReference, REFUSED, validators } from "../../../../test/schema-reference.ts";
import { type Decoder, explain, INVALID } from "../decode/decode.ts";
import { methods as stableMethods } from "./generated/method.ts";
import { methods as unstableMethods } from "./generated-unstable/method.ts";
import type { Method } from "./method.ts";

interface Subject {
  readonly definition: string;
  readonly decode: Decoder<unknown>;
}

/** The decoders of a method table, by the definition the schema has for each. */
function subjectsOf(schema: Schema, methods: { readonly [key: string]: Method }): Subject[] {
  const definitions = Object.entries(schema.$defs).filter(([, node]) => node["x-method"] !== undefined);
  return definitions.map(([definition, node]) => {
    const kind = definition.endsWith("Notification") ? "notification" : "request";
    const row = Object.values(methods).find((row) => row.method === node["x-method"] && row.kind === kind);
    const decode = definition.endsWith("Response") ? row?.result : row?.params;
    if (!decode) throw new Error(`No decoder for ${definition}`);
    return { definition, decode };
  });
}

/** How often a definition is tried: the more it is made of, the more ways there are to get it wrong. */
function runsFor(schema: Schema, definition: string, each: number): number {
  const parts = new Set([definition]);
  for (const part of parts) for (const below of referencesIn(schema.$defs[part] ?? {})) parts.add(below);
  return 4 + Math.ceil(each * parts.size);
}

for (const [stability, methods] of [
  ["stable", stableMethods],
  ["unstable", unstableMethods],
] as const) {
  const schema = readSchema(stability);
  const valid = messages(schema, { fields: "some" });
  const full = messages(schema, { fields: "every" });
  const { official, ours } = validators(schema);

  describe(`${stability} decoders`, () => {
    for (const { definition, decode } of subjectsOf(schema, methods)) {
      // A null result is read as an empty one before it is decoded, which the schema knows nothing of.
      const isDecoded = (value: unknown) => !((value ?? null) === null && definition.endsWith("Response"));

      test(`${definition}: a valid message comes back as the object it is`, () => {
        const property = fc.property(valid(definition), (message) => {
          frozen(message);
          expect([official(definition, message), ours(definition, message)]).toEqual([true, true]);
          const expected = decodeByReference(schema, definition, message);
          const decoded = decode(message);
          expect(decoded === INVALID ? explain() : "accepted").toBe("accepted");
          if (expected === message) expect(decoded).toBe(message);
          else expect(isDeepStrictEqual(decoded, expected)).toBe(true);
        });
        fc.assert(property, { numRuns: runsFor(schema, definition, 3) });
      });

      test(`${definition}: a damaged message is repaired or refused as the markers say`, () => {
        const property = fc.property(valid(definition), damages, (message, all) => {
          const received = frozen(damaged(message, all));
          fc.pre(isDecoded(received));
          const expected = decodeByReference(schema, definition, received);
          const decoded = decode(received);
          if (decoded === INVALID) {
            expect(expected).toBe(REFUSED);
            expect(ours(definition, received)).toBe(false);
            expect(explain()).toMatch(/expected \w+/);
            return;
          }
          if (expected === received) expect(decoded).toBe(received);
          else expect(isDeepStrictEqual(decoded, expected)).toBe(true);
          expect(ours(definition, decoded)).toBe(true);
        });
        fc.assert(property, { numRuns: runsFor(schema, definition, 10) });
      });

      test(`${definition}: a message with one fault is repaired or refused, wherever the fault is`, () => {
        for (const message of fc.sample(full(definition), { seed: 1, numRuns: runsFor(schema, definition, 0.5) })) {
          for (const received of eachFault(message)) {
            if (!isDecoded(received)) continue;
            const expected = decodeByReference(schema, definition, received);
            const decoded = decode(received);
            const isSame =
              decoded === expected || isDeepStrictEqual(decoded, expected === REFUSED ? INVALID : expected);
            if (!isSame) expect({ received, decoded }).toEqual({ received, decoded: expected });
          }
        }
      });
    }
  });
}

test("no message reaches the prototype of other objects", () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
