// Sentences without the credentials of a server: what stands in its environment, headers or address never leaves the room.

import { bareValue, decoded, spellingsOf, toSecrets, withoutSecrets } from "../secret/known-secret.ts";
import type { ServerTransport } from "./server.ts";

export interface Redaction {
  /** For people and logs: no configured value at all. */
  said(sentence: string): string;
  /** For results: values that are plainly places or words stay, or a server of files could not name its folder. */
  told(text: string): string;
}

/** Values of these are places and habits, and hiding them would make sentences unreadable. */
const OPEN_NAMES =
  /^(PATH|HOME|PWD|LANG|LC_.*|TERM|SHELL|USER|LOGNAME|TMPDIR|NODE_ENV|XDG_.*|accept|content-type|user-agent)$/i;
const OPEN_VALUES = /^(?:[/~.][^\s]*|[A-Za-z]:[\\/].*|https?:\/\/[^@?#]*|[a-z]+(?:[ _-][a-z]+)*|\d{1,9}(?:\.\d+)*)$/;
const SECRET_NAMES = /key|token|secret|auth|passw|credential|cookie|sig/i;

export function createRedaction(transport: ServerTransport): Redaction {
  const all = secretsOf(transport, () => true);
  const hidden = secretsOf(transport, (name, value) => SECRET_NAMES.test(name) || !OPEN_VALUES.test(value));
  return { said: (sentence) => withoutSecrets(sentence, all), told: (text) => withoutSecrets(text, hidden) };
}

function secretsOf(transport: ServerTransport, isMeant: (name: string, value: string) => boolean): readonly string[] {
  const named = transport.type === "stdio" ? transport.env : transport.headers;
  const values = Object.entries(named)
    .filter(([name, value]) => !OPEN_NAMES.test(name) && isMeant(name, value))
    .flatMap(([, value]) => spellings(value));
  if (transport.type !== "stdio") values.push(...secretsInAddress(transport.url));
  return toSecrets(values);
}

/** A secret comes back as it was sent, without its scheme, or escaped in an address or in JSON. */
function spellings(value: string): string[] {
  return [value, ...spellingsOf(bareValue(value))];
}

function secretsInAddress(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const named = [...searchParams].filter(([name]) => SECRET_NAMES.test(name));
  return [decoded(password), ...named.map(([, value]) => value)].flatMap(spellings);
}
