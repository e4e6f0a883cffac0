// Writes decode.ts: one straight-line function per definition that is decoded on its own. Nothing is allocated and
// nothing is looped over while a value is as it should be; a copy is made only where a field must be repaired.

import { checkOf, checksOf, expected } from "./check.ts";
import { emitObject } from "./emit-object.ts";
import { decoderOf, itemDecoderOf, type Scribe } from "./scribe.ts";
import { type Definition, type Definitions, definitionOf, type TaggedDefinition } from "./shape.ts";
import { fileOf, list, type Origin, type Selection } from "./text.ts";

export interface Decoders {
  readonly text: string;
  /** The functions the file exports. */
  readonly names: readonly string[];
}

const runtime = [
  "decodeAny",
  "decodeEach",
  "decodeString",
  "decodeValid",
  "decodeValues",
  "drop",
  "INVALID",
  "isFields",
  "isInteger",
  "put",
  "refuse",
  "refuseField",
  "refusedAt",
  "withMeta",
];

export function emitDecoders(
  definitions: Definitions,
  selection: Selection,
  roots: readonly string[],
  inherited: readonly string[],
  origin: Origin,
): Decoders {
  const shared = new Set(selection.shared);
  const isInherited = (name: string) => inherited.includes(name) && shared.has(name.replace(/^(decode|is)/, ""));
  const scribe: Scribe = { definitions, wanted: new Set(roots) };
  const written = new Map<string, string>();
  for (const name of scribe.wanted) {
    // A set that grows while it is walked is walked to its end.
    if (!isInherited(name) && !runtime.includes(name)) written.set(name, emitFunction(scribe, name));
  }
  const order = [...definitions.keys()].flatMap((name) => [`is${name}`, `decode${name}`]);
  const own = order.filter((name) => written.has(name));
  const body = own.map((name) => written.get(name)).join("\n\n");
  const reexported = order.filter(isInherited);
  const imported = reexported.filter((name) => uses(body, name));
  const types = [...definitions.keys()].filter((name) => uses(body, name)).sort();
  const text = fileOf(origin, [
    `import ${list(["type Invalid", ...runtime.filter((name) => uses(body, name))])} from "../../decode/decode.ts";`,
    ...(imported.length > 0 ? [`import ${list(imported)} from "../generated/decode.ts";`] : []),
    `import type ${list(types)} from "./type.ts";`,
    "",
    ...(reexported.length > 0 ? [`export ${list(reexported)} from "../generated/decode.ts";`, ""] : []),
    body,
  ]);
  return { text, names: [...reexported, ...own] };
}

function uses(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

function emitFunction(scribe: Scribe, name: string): string {
  const definition = definitionOf(scribe.definitions, name.replace(/^(decode|is)/, ""));
  if (name.startsWith("is")) return emitTest(scribe, definition).join("\n");
  const signature = `export function ${name}(value: unknown): ${definition.name} | Invalid {`;
  return [signature, ...emitBody(scribe, definition).map((line) => `  ${line}`), "}"].join("\n");
}

function emitBody(scribe: Scribe, definition: Definition): string[] {
  switch (definition.type) {
    case "object":
      return emitObject(scribe, definition);
    case "tagged":
      return emitTagged(scribe, definition);
    case "keyed":
      return emitKeyed(scribe, definition);
    case "lists":
      return emitLists(scribe, definition);
    case "enum":
    case "either":
      return emitChoice(scribe, definition);
    default:
      throw new Error(`${definition.name} needs no decoder of its own.`);
  }
}

function emitTagged(scribe: Scribe, definition: TaggedDefinition): string[] {
  const cases = definition.variants.flatMap(({ values, name }) => [
    ...values.map((value) => `  case ${JSON.stringify(value)}:`),
    `    return ${variantValue(scribe, name)};`,
  ]);
  return [
    'if (!isFields(value)) return refuse("an object");',
    `const tag = value.${definition.tag};`,
    "switch (tag) {",
    ...cases,
    "  default:",
    ...emitOtherwise(scribe, definition).map((line) => `    ${line}`),
    "}",
  ];
}

function emitOtherwise(scribe: Scribe, { tag, otherwise, variants }: TaggedDefinition): string[] {
  const key = JSON.stringify(tag);
  switch (otherwise.type) {
    case "refused": {
      const known = variants.flatMap(({ values }) => values);
      return [`return refuseField(${key}, ${JSON.stringify(`one of ${known.join(", ")}`)});`];
    }
    case "default":
      return [`return ${variantValue(scribe, otherwise.name)};`];
    case "unknown":
      return [
        `if (typeof tag !== "string") return refuseField(${key}, "a string");`,
        `return ${variantValue(scribe, otherwise.name)};`,
      ];
    case "both":
      return [
        `if (typeof tag !== "string") return ${variantValue(scribe, otherwise.default)};`,
        `return ${variantValue(scribe, otherwise.unknown)};`,
      ];
  }
}

/** What a union returns for one variant: its decoder's answer, or the value itself when nothing but the tag is known. */
function variantValue(scribe: Scribe, name: string): string {
  const definition = definitionOf(scribe.definitions, name);
  if (definition.type === "object" && definition.parents.length + definition.fields.length === 0) {
    if (definition.scope === null) return `value as unknown as ${name}`;
  }
  const decoder = decoderOf(scribe, name);
  return decoder === `decode${name}` ? `${decoder}(value)` : `${decoder}(value) as ${name} | Invalid`;
}

function emitKeyed(scribe: Scribe, { variants }: Definition & { type: "keyed" }): string[] {
  const lines = variants.map(({ key, name }) => {
    const definition = definitionOf(scribe.definitions, name);
    const field = definition.type === "object" ? definition.fields.find((field) => field.key === key) : undefined;
    if (field === undefined) throw new Error(`${name} has no field ${key} to tell it by.`);
    const test = checkOf(scribe, field.shape, `value.${key}`)?.right ?? `value.${key} !== undefined`;
    return `if (${test}) return ${decoderOf(scribe, name)}(value);`;
  });
  const keys = variants.map(({ key }) => key).join(" or ");
  return ['if (!isFields(value)) return refuse("an object");', ...lines, `return refuse("an object with ${keys}");`];
}

/** A plain item may well have a field named like the key of a group, so a list that is no list of groups is tried again. */
function emitLists(scribe: Scribe, { key, plain, grouped }: Definition & { type: "lists" }): string[] {
  return [
    "const first = Array.isArray(value) ? value[0] : undefined;",
    `if (isFields(first) && first.${key} !== undefined) {`,
    `  const groups = decodeEach(value, ${decoderOf(scribe, grouped)});`,
    "  if (groups !== INVALID) return groups;",
    "}",
    `return decodeEach(value, ${decoderOf(scribe, plain)});`,
  ];
}

function emitChoice(scribe: Scribe, definition: Definition & { type: "enum" | "either" }): string[] {
  const what = JSON.stringify(expected(scribe.definitions, { type: "ref", name: definition.name }));
  if (definition.type === "enum") {
    scribe.wanted.add(`is${definition.name}`);
    return [`return is${definition.name}(value) ? value : refuse(${what});`];
  }
  const array = definition.shapes.find((shape) => shape.type === "array");
  const rest = definition.shapes.filter((shape) => shape !== array);
  const tests = checksOf(scribe, rest, "value");
  if (tests.includes(undefined) || array?.type !== "array")
    throw new Error(`${definition.name} is no choice of scalars.`);
  return [
    `if (${tests.join(" || ")}) return value as ${definition.name};`,
    `if (Array.isArray(value)) return decodeEach(value, ${itemDecoderOf(scribe, array.items)});`,
    `return refuse(${what});`,
  ];
}

function emitTest(scribe: Scribe, definition: Definition): string[] {
  const signature = `export function is${definition.name}(value: unknown): value is ${definition.name} {`;
  if (definition.type === "either") {
    const tests = checksOf(scribe, definition.shapes, "value");
    return [signature, `  return ${tests.join(" || ")};`, "}"];
  }
  if (definition.type !== "enum") throw new Error(`${definition.name} needs no test.`);
  return [
    signature,
    "  switch (value) {",
    ...definition.values.map((value) => `    case ${JSON.stringify(value)}:`),
    "      return true;",
    "    default:",
    "      return false;",
    "  }",
    "}",
  ];
}
