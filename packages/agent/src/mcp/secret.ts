// Sentences without the credentials of a server: what stands in its environment, headers or address never leaves the room.

import type { ServerTransport } from "./server.ts";

export interface Redaction {
  /** For people and logs: no configured value at all. */
  said(sentence: string): string;
  /** For results: values that are plainly places or words stay, or a server of files could not name its folder. */
  told(text: string): string;
}

const HIDDEN = "[secret]";
/** What is shorter is a word, not a secret. */
const MIN_SECRET_LENGTH = 6;
/** Values of these are places and habits, and hiding them would make sentences unreadable. */
const OPEN_NAMES =
  /^(PATH|HOME|PWD|LANG|LC_.*|TERM|SHELL|USER|LOGNAME|TMPDIR|NODE_ENV|XDG_.*|accept|content-type|user-agent)$/i;
const OPEN_VALUES = /^(?:[/~.][^\s]*|[A-Za-z]:[\\/].*|https?:\/\/[^@?#]*|[a-z]+(?:[ _-][a-z]+)*|\d{1,9}(?:\.\d+)*)$/;
const SECRET_NAMES = /key|token|secret|auth|passw|credential|cookie|sig/i;

export function createRedaction(transport: ServerTransport): Redaction {
  const all = secretsOf(transport, () => true);
  const hidden = secretsOf(transport, (name, value) => SECRET_NAMES.test(name) || !OPEN_VALUES.test(value));
  return { said: (sentence) => without(all, sentence), told: (text) => without(hidden, text) };
}

function without(secrets: readonly string[], text: string): string {
  return secrets.reduce((clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, HIDDEN) : clean), text);
}

/** Longest first: one may contain another. */
function secretsOf(transport: ServerTransport, isMeant: (name: string, value: string) => boolean): readonly string[] {
  const named = transport.type === "stdio" ? transport.env : transport.headers;
  const values = Object.entries(named)
    .filter(([name, value]) => !OPEN_NAMES.test(name) && isMeant(name, value))
    .flatMap(([, value]) => spellings(value));
  if (transport.type !== "stdio") values.push(...secretsInAddress(transport.url));
  return [...new Set(values)].filter((value) => value.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length);
}

/** A secret comes back as it was sent, without its scheme, or escaped in an address or in JSON. */
function spellings(value: string): string[] {
  const bare = value.replace(/^(Bearer|Basic|Token)\s+/i, "");
  return [value, bare, encodeURIComponent(bare), JSON.stringify(bare).slice(1, -1)];
}

function secretsInAddress(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const named = [...searchParams].filter(([name]) => SECRET_NAMES.test(name));
  return [decode(password), ...named.map(([, value]) => value)].flatMap(spellings);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
