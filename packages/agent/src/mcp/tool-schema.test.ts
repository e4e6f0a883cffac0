import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_SCHEMA_CHARS, toToolSchema } from "./tool-schema.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const any = { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "object" }] };

describe("a schema", () => {
  test.each([
    { name: "is an object when it is nothing", given: undefined, want: object({}) },
    { name: "is an object when it is none", given: { type: "string" }, want: object({}) },
    { name: "loses its name", given: { $schema: "x", $id: "y", ...object({}) }, want: object({}) },
    {
      name: "keeps what all providers know",
      given: object(
        { a: { type: "string", minLength: 1, format: "date-time", description: "An a.", default: "x" } },
        { required: ["a", "b"], additionalProperties: false },
      ),
      want: object(
        { a: { type: "string", minLength: 1, format: "date-time", description: "An a.", default: "x" } },
        { required: ["a"], additionalProperties: false },
      ),
    },
    {
      name: "loses what some do not know",
      given: object({
        a: { type: "string", format: "uri", contentEncoding: "base64", pattern: "^(?=x)y$" },
        b: { type: "integer", format: "uint8", multipleOf: 2, exclusiveMinimum: 1 },
        c: { type: "object", patternProperties: { "^x": {} }, unevaluatedProperties: false },
      }),
      want: object({ a: { type: "string" }, b: { type: "integer" }, c: { type: "object" } }),
    },
    {
      name: "has its references written out",
      given: object(
        { a: { $ref: "#/$defs/A", description: "Mine." } },
        { $defs: { A: { type: "number", minimum: 1 } } },
      ),
      want: object({ a: { type: "number", minimum: 1, description: "Mine." } }),
    },
    {
      name: "has its circles cut",
      given: object(
        { tree: { $ref: "#/definitions/Tree" } },
        { definitions: { Tree: object({ left: { $ref: "#/definitions/Tree" } }) } },
      ),
      want: object({ tree: object({ left: { type: "object" } }) }),
    },
    {
      name: "does without references that lead nowhere",
      given: object({ a: { $ref: "https://example.com/x.json" }, b: { $ref: "#/nothing" } }),
      want: object({ a: { type: "object" }, b: { type: "object" } }),
    },
    {
      name: "that is a union at the top is merged",
      given: {
        oneOf: [
          object({ kind: { const: "a" }, x: { type: "string" } }, { required: ["kind", "x"] }),
          object({ kind: { const: "b" }, y: { type: "number" } }, { required: ["kind"] }),
        ],
      },
      want: object(
        {
          kind: {
            anyOf: [
              { type: "string", enum: ["a"] },
              { type: "string", enum: ["b"] },
            ],
          },
          x: { type: "string" },
          y: { type: "number" },
        },
        { required: ["kind"] },
      ),
    },
    {
      name: "whose alternatives only say what is required keeps its fields",
      given: object(
        { a: { type: "string" }, b: { type: "string" } },
        { required: [], anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      ),
      want: object({ a: { type: "string" }, b: { type: "string" } }),
    },
    {
      name: "that is a sum at the top is merged",
      given: {
        allOf: [{ $ref: "#/$defs/A" }, object({ b: { type: "string" } }, { required: ["b"] })],
        $defs: { A: object({ a: { type: "string" } }, { required: ["a"] }) },
      },
      want: object({ a: { type: "string" }, b: { type: "string" } }, { required: ["a", "b"] }),
    },
    {
      name: "says what may be null in one way",
      given: object({
        a: { type: ["string", "null"] },
        b: { anyOf: [{ type: "integer" }, { type: "null" }] },
        c: { type: "string", nullable: true },
        d: { oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      }),
      want: object({
        a: { type: ["string", "null"] },
        b: { type: ["integer", "null"] },
        c: { type: ["string", "null"] },
        d: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      }),
    },
    {
      name: "has lists instead of tuples",
      given: object({
        a: { type: "array", items: [{ type: "number" }, { type: "number" }], additionalItems: false },
        b: { prefixItems: [{ type: "string" }, { type: "number" }] },
        c: { type: "array" },
      }),
      want: object({
        a: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
        b: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] }, minItems: 2 },
        c: { type: "array", items: any },
      }),
    },
    {
      name: "tells choices that are no strings",
      given: object({
        a: { enum: [1, 2], description: "How many." },
        b: { enum: ["x", "", null] },
        c: { const: true },
      }),
      want: object({
        a: { type: "number", description: "How many. One of: 1, 2." },
        b: { type: ["string", "null"], enum: ["x"] },
        c: { type: "boolean", description: "One of: true." },
      }),
    },
    {
      name: "has a type where anything goes",
      given: object({ a: {}, b: true, c: { description: "Whatever." } }),
      want: object({ a: any, b: any, c: { ...any, description: "Whatever." } }),
    },
    {
      name: "may have fields with odd names inside",
      given: JSON.parse(
        '{"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}}}',
      ),
      want: object({ constructor: { type: "string" } }),
    },
  ])("$name", ({ given, want }) => {
    expect(toToolSchema(given).schema).toEqual(want);
  });

  test("has outermost names every provider takes, and remembers the others", () => {
    const given = object(
      { $filter: { type: "string" }, _filter: { type: "string" }, ok: {} },
      { required: ["$filter"] },
    );

    const { schema, required, renamed } = toToolSchema(given);

    expect(Object.keys((schema as { properties: object }).properties)).toEqual(["_filter_2", "_filter", "ok"]);
    expect(schema).toMatchObject({ required: ["_filter_2"] });
    expect(required).toEqual(["_filter_2"]);
    expect([...renamed]).toEqual([["_filter_2", "$filter"]]);
  });

  test("is bounded, and keeps its outermost fields for as long as it can", () => {
    const field = {
      type: "object",
      description: "d".repeat(2_000),
      properties: { x: { description: "e".repeat(2_000) } },
    };
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field${at}`, field]));

    const { schema } = toToolSchema(object(fields));

    expect(JSON.stringify(schema).length).toBeLessThanOrEqual(MAX_SCHEMA_CHARS);
    expect(Object.keys((schema as { properties: object }).properties)).toHaveLength(60);
  });

  test("that explodes when it is written out is written out only so far", () => {
    const level = (at: number) => object({ a: { $ref: `#/$defs/L${at + 1}` }, b: { $ref: `#/$defs/L${at + 1}` } });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`L${at}`, level(at)]));
    const began = performance.now();

    const { schema } = toToolSchema({ ...level(0), $defs });

    expect(JSON.stringify(schema).length).toBeLessThanOrEqual(MAX_SCHEMA_CHARS);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  test("has only words all providers know, whatever came in", () => {
    const known = new Set(
      "type properties required items anyOf enum description default minimum maximum minLength maxLength pattern minItems maxItems format additionalProperties".split(
        " ",
      ),
    );
    const check = (schema: Record<string, unknown>, isTop: boolean): void => {
      expect(Object.keys(schema).filter((word) => !known.has(word))).toEqual([]);
      if (isTop) expect([schema.type, schema.anyOf]).toEqual(["object", undefined]);
      expect(schema.type !== undefined || Array.isArray(schema.anyOf)).toBe(true);
      if (schema.type === "array") expect(schema.items).toBeDefined();
      const inner = [
        ...Object.values((schema.properties ?? {}) as object),
        ...((schema.anyOf ?? []) as object[]),
        ...(schema.items === undefined ? [] : [schema.items]),
      ];
      for (const one of inner) check(one as Record<string, unknown>, false);
      for (const name of (schema.required ?? []) as string[])
        expect(Object.hasOwn(schema.properties as object, name)).toBe(true);
    };
    fc.assert(
      fc.property(schemaLike, (given) => {
        const { schema } = toToolSchema(given);
        check(schema as Record<string, unknown>, true);
      }),
      { numRuns: 500 },
    );
  });
});

const { node: schemaLike } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom("string", "object", "array", "number", "integer", "boolean", "null", "odd"),
          fc.array(fc.constantFrom("string", "null", "object", "array"), { maxLength: 3 }),
        ),
        properties: fc.dictionary(fc.string(), tie("node"), { maxKeys: 3 }),
        required: fc.array(fc.string(), { maxLength: 3 }),
        items: fc.oneof(tie("node"), fc.array(tie("node"), { maxLength: 3 })),
        prefixItems: fc.array(tie("node"), { maxLength: 2 }),
        anyOf: fc.array(tie("node"), { maxLength: 3 }),
        oneOf: fc.array(tie("node"), { maxLength: 3 }),
        allOf: fc.array(tie("node"), { maxLength: 3 }),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }),
        const: fc.jsonValue({ maxDepth: 1 }),
        $ref: fc.constantFrom("#", "#/properties", "#/anyOf/0", "#/x"),
        format: fc.constantFrom("uri", "date-time", "int32"),
        description: fc.string(),
        additionalProperties: tie("node"),
      },
      { requiredKeys: [] },
    ),
  ),
}));
