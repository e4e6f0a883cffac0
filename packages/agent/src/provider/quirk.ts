// What an endpoint turned out to refuse. Learned from its refusals, one at a time, and remembered as long as the model
// object lives: the request is sent once more without it.

export type Quirk =
  /** Wants `max_completion_tokens` instead of `max_tokens`. */
  | "max-tokens"
  | "temperature"
  | "images"
  | "audio"
  | "reasoning-effort"
  /** Showing the reasoning needs a verified organisation at some. */
  | "reasoning-summary"
  /** The model's own reasoning in the history: unknown to the endpoint, or no longer proven to be the model's. */
  | "reasoning-content"
  | "stream-options"
  | "cache-key";

/** The quirk that a refusal shows, unless it is known already: then something else is wrong. */
export function learnQuirk(status: number | undefined, sentence: string, known: ReadonlySet<Quirk>): Quirk | undefined {
  if (status !== 400 && status !== 422 && status !== 404 && status !== 415 && status !== 501) return undefined;
  return SIGNS.find(([quirk, isSign]) => !known.has(quirk) && isSign(sentence.toLowerCase()))?.[0];
}

const REFUSED =
  /unsupported|not support|n't support|does not allow|not allowed|not permitted|deprecated|unknown|unrecognized|unexpected|extra (inputs|fields)|only the default|invalid|incompatible|not accept|must be removed|remove/;

const REASONING = /reasoning_content|encrypted content|encrypted_content|`?signature`?|thought_signature/;

const SIGNS: readonly (readonly [Quirk, (sentence: string) => boolean])[] = [
  ["max-tokens", (said) => /max_tokens/.test(said) && /max_completion_tokens/.test(said)],
  ["reasoning-summary", (said) => /summar/.test(said) && (/verif/.test(said) || REFUSED.test(said))],
  ["reasoning-content", (said) => REASONING.test(said) && (REFUSED.test(said) || /verif|decrypt|missing/.test(said))],
  ["reasoning-effort", (said) => /reasoning[._ ]?effort|reasoning\.effort|thinking/.test(said) && REFUSED.test(said)],
  ["temperature", (said) => /temperature/.test(said) && REFUSED.test(said)],
  ["stream-options", (said) => /stream_options|include_usage/.test(said) && REFUSED.test(said)],
  ["cache-key", (said) => /prompt_cache_key/.test(said) && REFUSED.test(said)],
  ["images", (said) => /image|vision|multimodal|mmproj/.test(said) && isAboutTaking(said)],
  ["audio", (said) => /audio/.test(said) && isAboutTaking(said)],
];

function isAboutTaking(said: string): boolean {
  return (
    REFUSED.test(said) ||
    /cannot|can't|could not|no endpoints found|unable|text[- ]only|expected a string|not a vision/.test(said)
  );
}
