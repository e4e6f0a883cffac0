// Secrets that are known by their value, as somebody else may repeat them.

import { HIDDEN } from "./redact.ts";

/** What is shorter is a word, not a secret. */
const MIN_SECRET_LENGTH = 6;

/** As they are to be looked for: once each, and the longest first, for one may contain another. */
export function toSecrets(values: readonly string[]): readonly string[] {
  const long = values.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, HIDDEN) : clean), text);
}

/** As it is, and as it looks in an address and in JSON. */
export function spellingsOf(value: string): string[] {
  return [value, encoded(value), JSON.stringify(value).slice(1, -1)];
}

/** Of the value of a header, without the scheme it may begin with. */
export function bareValue(value: string): string {
  return value.trim().replace(/^(?:Bearer|Basic|Token)\s+/i, "");
}

/** The same where it is not an encoded text. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Half a character cannot be encoded. */
function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
