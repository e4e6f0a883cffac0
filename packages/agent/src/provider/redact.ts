// Sentences without secrets: providers repeat the keys they refuse, libraries the addresses they cannot reach.

import { bareValue, decoded, spellingsOf, toSecrets, withoutSecrets } from "../secret/known-secret.ts";
import { redact } from "../secret/redact.ts";
import type { Provider } from "./provider.ts";

/** To be asked before white space is folded or anything is cut off: what is left of a key would not be known as one. */
export function redactFor(provider: Provider, sentence: string): string {
  return redact(withoutSecrets(sentence, secretsOf(provider)));
}

function secretsOf({ apiKey = "", headers = {}, baseUrl }: Provider): readonly string[] {
  const values = [apiKey, ...Object.values(headers).filter((value) => !isMediaType(value)), ...secretsIn(baseUrl)];
  return toSecrets(values.flatMap(variantsOf));
}

function isMediaType(value: string): boolean {
  return /^[a-z]+\/[a-z+.-]+$/i.test(value);
}

/** Name, password, query and what stands behind it. An address that is none is a secret as a whole. */
function secretsIn(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return [baseUrl];
  const { username, password, search, hash, searchParams } = new URL(baseUrl);
  const raw = search.slice(1).split(/[&=]/);
  return [username, password, hash.slice(1), search.slice(1), ...raw, ...searchParams.values()];
}

/** As it is, and as it looks in a header, in an address, in JSON and in one line. */
function variantsOf(value: string): string[] {
  const bare = bareValue(value);
  return [value, bare, decoded(bare), decoded(bare).trim()].flatMap((one) => [
    ...spellingsOf(one),
    one.replace(/\s+/g, " "),
    ...one.split(/\s+/),
  ]);
}
