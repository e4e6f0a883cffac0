// Sentences without secrets: providers repeat the keys they refuse, libraries the addresses they cannot reach.

import type { Provider } from "./provider.ts";

const HIDDEN = "[key]";
/** What is shorter is a word, not a secret. */
const MIN_SECRET_LENGTH = 6;

const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|xai|hf|r8|pplx|csk|nvapi|fw|tgp|ghp|gho|github_pat)[-_][A-Za-z0-9_*.-]{4,}/g,
  /\bAIza[A-Za-z0-9_*-]{8,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{6,}/gi,
  /\b(api[-_]?key|key|token|access_token)=[^&\s"']{6,}/gi,
  /\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]+)+/g,
];

/** To be asked before white space is folded or anything is cut off: what is left of a key would not be known as one. */
export function redact(sentence: string, provider: Provider): string {
  let clean = sentence;
  for (const secret of secretsOf(provider)) clean = clean.replaceAll(secret, HIDDEN);
  for (const shape of KEY_SHAPES) {
    clean = clean.replace(shape, (_whole, name: unknown) => (typeof name === "string" ? `${name} ${HIDDEN}` : HIDDEN));
  }
  return clean;
}

/** Longest first: one may contain another. */
function secretsOf({ apiKey = "", headers = {}, baseUrl }: Provider): string[] {
  const values = [apiKey, ...Object.values(headers).filter((value) => !isMediaType(value)), ...secretsIn(baseUrl)];
  const secrets = values.flatMap(variantsOf).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
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
  const bare = value.trim().replace(/^(Bearer|Basic)\s+/i, "");
  return [value, bare, decoded(bare), decoded(bare).trim()].flatMap((one) => [
    one,
    encoded(one),
    JSON.stringify(one).slice(1, -1),
    one.replace(/\s+/g, " "),
    ...one.split(/\s+/),
  ]);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
