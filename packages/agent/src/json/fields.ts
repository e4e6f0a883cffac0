// A value before anybody knows what it is: out of JSON, or thrown by somebody else's code.

export type Fields = Readonly<Record<string, unknown>>;

/** An object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Those of an object; of anything else, none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Nothing where there is no such field, or nothing that could have one. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
