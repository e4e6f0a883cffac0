// A place in a JSON document. Reads what is there as a type; where it is not, notes so by its path and goes on with a
// stand-in, so that one pass finds every problem. What was read counts only when nothing was noted.

import { isFields } from "../json/fields.ts";

export class Place {
  readonly value: unknown;
  readonly path: string;
  readonly #problems: string[];

  /** `problems` collects what is wrong here and below. */
  constructor(value: unknown, path: string, problems: string[]) {
    this.value = value;
    this.path = path;
    this.#problems = problems;
  }

  refuse(what: string): void {
    this.#problems.push(`${this.path === "" ? "the document" : this.path} ${what}`);
  }

  get isMissing(): boolean {
    return this.value === undefined;
  }

  /** The places behind these keys; the object may have no others. */
  object<Key extends string>(keys: readonly Key[]): Readonly<Record<Key, Place>> {
    if (!isFields(this.value)) {
      this.refuse("must be an object");
      // One problem is enough: what is missing because of it is noted nowhere.
      return new Place({}, this.path, []).object(keys);
    }
    for (const key of Object.keys(this.value)) {
      if (!(keys as readonly string[]).includes(key)) {
        this.#below(key, undefined).refuse(`is not known; known are ${keys.join(", ")}`);
      }
    }
    const object = this.value;
    const places = keys.map((key) => [key, this.#below(key, object[key])] as const);
    return Object.fromEntries(places) as Record<Key, Place>;
  }

  /** The place behind the only key of an object; the key must be one of these. */
  only<Key extends string>(keys: readonly Key[]): { readonly key: Key; readonly place: Place } | undefined {
    const found = isFields(this.value) ? Object.entries(this.value) : [];
    const [key, value] = found[0] ?? ["", undefined];
    if (found.length === 1 && (keys as readonly string[]).includes(key)) {
      return { key: key as Key, place: this.#below(key, value) };
    }
    this.refuse(`must be an object with one of these keys: ${keys.join(", ")}`);
    return undefined;
  }

  list(): readonly Place[] {
    if (Array.isArray(this.value)) {
      return this.value.map((value, at) => new Place(value, `${this.path}[${at}]`, this.#problems));
    }
    this.refuse("must be a list");
    return [];
  }

  string(): string {
    if (typeof this.value === "string") return this.value;
    this.refuse("must be a string");
    return "";
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") this.refuse("must be true or false");
    return this.value === true;
  }

  number(max = Number.MAX_VALUE): number {
    if (typeof this.value === "number" && this.value >= 0 && this.value <= max) return this.value;
    this.refuse(max === Number.MAX_VALUE ? "must be a number from 0" : `must be a number from 0 to ${max}`);
    return 0;
  }

  wholeNumber(max: number): number {
    if (Number.isInteger(this.value)) return this.number(max);
    this.refuse("must be a whole number");
    return 0;
  }

  /** One of the keys. */
  word<Word extends string>(words: Readonly<Record<Word, unknown>>): Word {
    const known = Object.keys(words) as Word[];
    if ((known as unknown[]).includes(this.value)) return this.value as Word;
    this.refuse(`must be one of ${known.join(", ")}`);
    return known[0] as Word;
  }

  pattern(flags: string): RegExp {
    try {
      return new RegExp(this.string(), flags);
    } catch {
      this.refuse("must be a regular expression");
      return /(?:)/;
    }
  }

  #below(key: string, value: unknown): Place {
    return new Place(value, this.path === "" ? key : `${this.path}.${key}`, this.#problems);
  }
}
