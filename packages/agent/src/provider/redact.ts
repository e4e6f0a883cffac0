// Sentences without secrets: providers repeat the keys they refuse.

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

export function redact(sentence: string, provider: Provider): string {
  let clean = sentence;
  for (const secret of secretsOf(provider)) clean = clean.replaceAll(secret, HIDDEN);
  for (const shape of KEY_SHAPES) {
    clean = clean.replace(shape, (_whole, name: unknown) => (typeof name === "string" ? `${name} ${HIDDEN}` : HIDDEN));
  }
  return clean;
}

/** Longest first: one may contain another. */
function secretsOf(provider: Provider): string[] {
  const values = [provider.apiKey, ...Object.values(provider.headers ?? {})].flatMap((value) =>
    value === undefined ? [] : [value, value.replace(/^(Bearer|Basic)\s+/i, "")],
  );
  const secrets = values.filter((value) => value.length >= MIN_SECRET_LENGTH && !/^[a-z]+\/[a-z+.-]+$/i.test(value));
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}
