// Capabilities as paths: "sessionCapabilities.resume". True and objects mean yes; false, null and absent mean no.

import type { Fields } from "../decode/decode.ts";

/** Capabilities whose yes is `true`; everywhere else it is an object. */
const BOOLEANS: ReadonlySet<string> = new Set(["loadSession", "fs.readTextFile", "fs.writeTextFile", "terminal"]);

export function hasCapability(capabilities: object | null | undefined, path: string): boolean {
  let value: unknown = capabilities;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Fields)[key];
  }
  return value === true || (typeof value === "object" && value !== null);
}

/** The capabilities that these paths stand for. */
export function toCapabilities(paths: Iterable<string>): Fields {
  let capabilities: Fields = {};
  for (const path of paths) {
    const leaf = BOOLEANS.has(path) ? true : {};
    const nested = path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
    capabilities = mergeCapabilities(capabilities, nested as Fields);
  }
  return capabilities;
}

/** `over` laid over `under`, object by object; false and null in `over` take a capability away. */
export function mergeCapabilities(under: Fields, over: Fields): Fields {
  const merged: { [key: string]: unknown } = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? mergeCapabilities(below, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
