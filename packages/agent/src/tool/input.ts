// A tool's input, described once: the JSON Schema the model sees, and a reader that understands what models really send.
// Numbers and booleans may be strings, lists may be JSON in a string, names may be spelled in another way.

import { isFields } from "../json/fields.ts";
import { isTooDeep } from "./json-depth.ts";

export type Read<T> = { readonly value: T } | { readonly problem: string };

export interface Field<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Other names that models use for it. */
  readonly aliases: readonly string[];
  /** What it is when it is not there; a field without it is required. */
  readonly absent?: { readonly value: T } | undefined;
  /** A problem is a clause for the model that begins with `name`. */
  read(value: unknown, name: string): Read<T>;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValueOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never };

export interface Input<T> {
  readonly schema: object;
  parse(input: Readonly<Record<string, unknown>>): { readonly input: T } | { readonly problem: string };
}

export type InputOf<I extends Input<unknown>> = I extends Input<infer T> ? T : never;

interface Named {
  readonly aliases?: readonly string[] | undefined;
}

export function defineInput<F extends Fields>(fields: F): Input<ValueOf<F>> {
  return {
    schema: schemaOf(fields),
    parse(input) {
      const read = readFields(fields, input, "");
      return "problem" in read ? read : { input: read.value };
    },
  };
}

export function string(description: string, { aliases = [] }: Named = {}): Field<string> {
  return {
    schema: { type: "string", description },
    aliases,
    read(value, name) {
      if (typeof value === "string") return { value };
      if (typeof value === "number" || typeof value === "boolean") return { value: String(value) };
      return { problem: `${name} must be a string, not ${shown(value)}` };
    },
  };
}

/** Out of bounds is taken as the bound. */
export function integer(
  description: string,
  { minimum, maximum, aliases = [] }: Named & { readonly minimum?: number; readonly maximum?: number } = {},
): Field<number> {
  return {
    schema: {
      type: "integer",
      description,
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    },
    aliases,
    read(value, name) {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (!Number.isInteger(number)) return { problem: `${name} must be a whole number, not ${shown(value)}` };
      return { value: Math.min(Math.max(number as number, minimum ?? -Infinity), maximum ?? Infinity) };
    },
  };
}

export function boolean(description: string, { aliases = [] }: Named = {}): Field<boolean> {
  return {
    schema: { type: "boolean", description },
    aliases,
    read(value, name) {
      const word = String(value).trim().toLowerCase();
      if (["true", "1", "yes"].includes(word)) return { value: true };
      if (["false", "0", "no"].includes(word)) return { value: false };
      return { problem: `${name} must be true or false, not ${shown(value)}` };
    },
  };
}

/** Case and separators do not matter; `synonyms` are other words for a value. */
export function oneOf<const V extends string>(
  values: readonly V[],
  description: string,
  { synonyms = {}, aliases = [] }: Named & { readonly synonyms?: Readonly<Record<string, V>> } = {},
): Field<V> {
  const known = new Map([...values.map((value) => [plainName(value), value] as const), ...Object.entries(synonyms)]);
  return {
    schema: { type: "string", enum: values, description },
    aliases,
    read(value, name) {
      const found = typeof value === "string" ? known.get(plainName(value)) : undefined;
      if (found !== undefined) return { value: found };
      return { problem: `${name} must be one of ${values.join(", ")}, not ${shown(value)}` };
    },
  };
}

export function list<T>(
  item: Field<T>,
  description: string,
  { maximum, aliases = [] }: Named & { readonly maximum?: number } = {},
): Field<readonly T[]> {
  return {
    schema: {
      type: "array",
      items: item.schema,
      description,
      ...(maximum !== undefined && { maxItems: maximum }),
    },
    aliases,
    read(value, name) {
      const items = toItems(value);
      if (maximum !== undefined && items.length > maximum) {
        return { problem: `${name} must have at most ${maximum} items, not ${items.length}` };
      }
      const read = items.map((one, at) => item.read(one, `${name}[${at}]`));
      const problem = joinProblems(read);
      return problem === undefined ? { value: read.map((one) => (one as { value: T }).value) } : { problem };
    },
  };
}

/** An object inside of another; `from` turns what is no object into one. */
export function object<F extends Fields>(
  fields: F,
  { from }: { readonly from?: (value: unknown) => Readonly<Record<string, unknown>> } = {},
): Field<ValueOf<F>> {
  return {
    schema: schemaOf(fields),
    aliases: [],
    read(value, name) {
      const given = isFields(value) ? value : from?.(value);
      if (given === undefined) return { problem: `${name} must be an object, not ${shown(value)}` };
      return readFields(fields, given, `${name}.`);
    },
  };
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, absent: { value: undefined } };
}

export function withDefault<T>(field: Field<T>, value: T): Field<T> {
  return { ...field, schema: { ...field.schema, default: value }, absent: { value } };
}

function schemaOf(fields: Fields): Record<string, unknown> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.absent === undefined).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
  };
}

/** All problems at once, so that one more try is enough. */
function readFields<F extends Fields>(
  fields: F,
  input: Readonly<Record<string, unknown>>,
  prefix: string,
): Read<ValueOf<F>> {
  const read = Object.entries(fields).map(([name, field]) => [name, readField(field, input, name, prefix)] as const);
  const problem = joinProblems(read.map(([, one]) => one));
  if (problem !== undefined) return { problem };
  const values = read.map(([name, one]) => [name, (one as { value: unknown }).value]);
  return { value: Object.fromEntries(values) as ValueOf<F> };
}

function readField(
  field: Field<unknown>,
  input: Readonly<Record<string, unknown>>,
  name: string,
  prefix: string,
): Read<unknown> {
  const value = valueNamed([name, ...field.aliases], input);
  if (value !== undefined && value !== null) return field.read(value, prefix + name);
  return field.absent ?? { problem: `${prefix}${name} is required` };
}

/** By the exact name first, then by another spelling or name. */
function valueNamed(names: readonly string[], input: Readonly<Record<string, unknown>>): unknown {
  const [exact] = names;
  if (exact !== undefined && Object.hasOwn(input, exact)) return input[exact];
  const keys = Object.keys(input);
  for (const name of names) {
    const key = keys.find((key) => plainName(key) === plainName(name));
    if (key !== undefined) return input[key];
  }
  return undefined;
}

function joinProblems(read: readonly Read<unknown>[]): string | undefined {
  const problems = read.flatMap((one) => ("problem" in one ? [one.problem] : []));
  return problems.length === 0 ? undefined : problems.join("; ");
}

function toItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string" && value.trim().startsWith("[") && !isTooDeep(value)) {
    try {
      return toItems(JSON.parse(value));
    } catch {
      return [value];
    }
  }
  return [value];
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
