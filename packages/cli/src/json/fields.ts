// A value out of JSON, before anybody knows what it is.

export type Fields = { readonly [field: string]: unknown };

/** An object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
