// What every generated decoder stands on: how a decoder refuses a value, how it names the place, and how it repairs
// without touching what it was given. Decoders never throw and never change their input.

/** Returned by a decoder that refuses its value; `explain()` then says where and why. */
export const INVALID: unique symbol = Symbol("invalid");
export type Invalid = typeof INVALID;

/** Turns an untrusted value into `T`: the very same object when nothing needs repair, else a repaired copy. */
export type Decoder<T> = (value: unknown) => T | Invalid;

/** An object as it came off the wire: fields are there or not, and nothing is known about them. */
export type Fields = { readonly [field: string]: unknown };

/** The tag's type in a variant this version does not know. At run time it is the tag as received, an ordinary string. */
export type UnknownTag = "(a variant this version of the protocol does not know)";

// The last refusal. Written only on the failing path, read at once by whoever asked for the decoding: decoders are
// synchronous, so no second decoding can come between.
let path: (string | number)[] = [];
let wanted = "";

/** Refuses a value: `what` says what was expected there, never what was found (it may be a secret). */
export function refuse(what: string): Invalid {
  path = [];
  wanted = what;
  return INVALID;
}

/** Refuses the value of one field, for decoders that look at a field themselves. */
export function refuseField(key: string, what: string): Invalid {
  path = [key];
  wanted = what;
  return INVALID;
}

/** Passes a refusal upward, adding the field or position it came from. */
export function refusedAt(key: string | number): Invalid {
  path.push(key);
  return INVALID;
}

/** Why the last decoder refused, as "path: expected …". Call it directly after a decoder returned `INVALID`. */
export function explain(): string {
  const at = path.length === 0 ? "" : `/${path.toReversed().join("/")}: `;
  return `${at}expected ${wanted}`;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

export function decodeAny(value: unknown): unknown {
  return value;
}

export function decodeString(value: unknown): string | Invalid {
  return typeof value === "string" ? value : refuse("a string");
}

/** Reads null and nothing as an empty object: that is how many peers answer when there is nothing to say. */
export function orEmpty<T>(decode: Decoder<T>): Decoder<T> {
  return (value) => decode(value ?? {});
}

/** `fields` with one value replaced; copies `source` the first time, so that the received object stays as it came. */
export function put(fields: Fields, source: Fields, key: string, value: unknown): Fields {
  const copy = fields === source ? { ...source } : (fields as { [field: string]: unknown });
  Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}

/** `fields` without one value, by the same rule of copying. */
export function drop(fields: Fields, source: Fields, key: string): Fields {
  const copy = fields === source ? { ...source } : (fields as { [field: string]: unknown });
  delete copy[key];
  return copy;
}

/** `fields`, without a `_meta` that is no object: whoever sent it meant nothing we could keep. */
export function withMeta(fields: Fields, source: Fields): Fields {
  const meta = source._meta;
  return meta === undefined || meta === null || isFields(meta) ? fields : drop(fields, source, "_meta");
}

/** A list in which every item must decode. The same array when no item changed. */
export function decodeEach<T>(value: unknown, item: Decoder<T>): readonly T[] | Invalid {
  if (!Array.isArray(value)) return refuse("an array");
  let items: unknown[] = value;
  for (let i = 0; i < value.length; i++) {
    const decoded = item(value[i]);
    if (decoded === value[i]) continue;
    if (decoded === INVALID) return refusedAt(i);
    if (items === value) items = value.slice();
    items[i] = decoded;
  }
  return items as T[];
}

/** A list from which items that do not decode are left out (`x-deserialize-skip-invalid-items`). */
export function decodeValid<T>(value: unknown, item: Decoder<T>): readonly T[] | Invalid {
  if (!Array.isArray(value)) return refuse("an array");
  let items: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const decoded = item(value[i]);
    if (decoded === value[i] && items === undefined) continue;
    items ??= value.slice(0, i);
    if (decoded !== INVALID) items.push(decoded);
  }
  return (items ?? value) as T[];
}

/** A map whose every value must decode. The same object when no value changed. */
export function decodeValues<T>(value: unknown, item: Decoder<T>): { readonly [key: string]: T } | Invalid {
  if (!isFields(value)) return refuse("an object");
  let fields: Fields = value;
  for (const key of Object.keys(value)) {
    const decoded = item(value[key]);
    if (decoded === value[key]) continue;
    if (decoded === INVALID) return refusedAt(key);
    fields = put(fields, value, key, decoded);
  }
  return fields as { readonly [key: string]: T };
}
