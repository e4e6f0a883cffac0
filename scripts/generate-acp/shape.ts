// The shapes between schema and code: small, named and serialisable, so that two schemas can be compared by shape.

export type Shape =
  | { type: "any" }
  | { type: "null" }
  | { type: "boolean" }
  | { type: "string"; nonEmpty: boolean }
  | { type: "number" }
  | { type: "integer"; min: number | null; max: number | null }
  /** Any string; the listed ones have a meaning. Typed so that the listed ones narrow. */
  | { type: "tag"; values: string[] }
  /** An object about which nothing is known. */
  | { type: "fields" }
  | { type: "map"; values: Shape }
  | { type: "array"; items: Shape; skipInvalid: boolean }
  | { type: "nullable"; of: Shape }
  | { type: "ref"; name: string };

/** What a decoder does about a value that does not fit. */
type Tolerance = "refuse" | "default-on-error" | "default-on-null";

export interface Field {
  key: string;
  shape: Shape;
  required: boolean;
  tolerance: Tolerance;
  /** Stands in for a malformed value; absent means the key is dropped. */
  default?: unknown;
}

/** The field that tells a union's variants apart, as one variant has it. */
export interface Tag {
  key: string;
  values: string[];
  /** Also holds for every value that no other variant claims. */
  unknown: boolean;
  optional: boolean;
}

export interface ObjectDefinition {
  type: "object";
  name: string;
  /** Definitions whose fields this one has too. */
  parents: string[];
  tag: Tag | null;
  fields: Field[];
  /** A keyed union of which one alternative must hold as well. */
  scope: string | null;
  /** Has fields nobody described. */
  open: boolean;
}

export interface TaggedDefinition {
  type: "tagged";
  name: string;
  tag: string;
  variants: { values: string[]; name: string }[];
  /** What a value with no known tag is. `unknown` needs a string tag, `default` needs none. */
  otherwise: { type: "unknown"; name: string } | { type: "default"; name: string } | { type: "refused" } | Both;
}

/** A string tag makes it unknown, no string tag makes it the default. */
interface Both {
  type: "both";
  unknown: string;
  default: string;
}

export type Definition =
  | ObjectDefinition
  | TaggedDefinition
  | { type: "any"; name: string }
  | { type: "scalar"; name: string; shape: Shape }
  | { type: "enum"; name: string; values: string[]; open: boolean }
  | { type: "either"; name: string; shapes: Shape[] }
  | { type: "alias"; name: string; of: string }
  /** Alternatives told apart by which key is there, tried in order. */
  | { type: "keyed"; name: string; variants: { key: string; name: string }[] }
  /** A list of plain items, or a list of groups, which have the key. */
  | { type: "lists"; name: string; key: string; plain: string; grouped: string };

export type Definitions = ReadonlyMap<string, Definition>;

export function definitionOf(definitions: Definitions, name: string): Definition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new Error(`No definition is named ${name}.`);
  return definition.type === "alias" ? definitionOf(definitions, definition.of) : definition;
}

export function objectOf(definitions: Definitions, name: string): ObjectDefinition {
  const definition = definitionOf(definitions, name);
  if (definition.type !== "object") throw new Error(`${name} is not an object definition.`);
  return definition;
}

/** The fields of an object with those of its parents, in the order a reader of the type meets them. */
export function allFields(definitions: Definitions, object: ObjectDefinition): Field[] {
  return [
    ...object.parents.flatMap((parent) => allFields(definitions, objectOf(definitions, parent))),
    ...object.fields,
  ];
}

/** The tags of an object and of its parents. */
export function allTags(definitions: Definitions, object: ObjectDefinition): Tag[] {
  const inherited = object.parents.flatMap((parent) => allTags(definitions, objectOf(definitions, parent)));
  return [...inherited, ...(object.tag === null ? [] : [object.tag])];
}

/** The names a definition mentions directly. */
export function mentions(definition: Definition): string[] {
  switch (definition.type) {
    case "object":
      return [
        ...definition.parents,
        ...(definition.scope === null ? [] : [definition.scope]),
        ...definition.fields.flatMap((field) => mentionsOf(field.shape)),
      ];
    case "tagged":
      return [...definition.variants.map((variant) => variant.name), ...fallbackNames(definition)];
    case "keyed":
      return definition.variants.map((variant) => variant.name);
    case "either":
      return definition.shapes.flatMap(mentionsOf);
    case "lists":
      return [definition.plain, definition.grouped];
    case "alias":
      return [definition.of];
    case "scalar":
      return mentionsOf(definition.shape);
    case "any":
    case "enum":
      return [];
  }
}

export function fallbackNames({ otherwise }: TaggedDefinition): string[] {
  switch (otherwise.type) {
    case "unknown":
    case "default":
      return [otherwise.name];
    case "both":
      return [otherwise.unknown, otherwise.default];
    case "refused":
      return [];
  }
}

function mentionsOf(shape: Shape): string[] {
  switch (shape.type) {
    case "ref":
      return [shape.name];
    case "nullable":
      return mentionsOf(shape.of);
    case "array":
      return mentionsOf(shape.items);
    case "map":
      return mentionsOf(shape.values);
    default:
      return [];
  }
}
