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
  ["images", (said) => saysNone(said, IMAGE)],
  ["audio", (said) => saysNone(said, AUDIO)],
];

const IMAGE = "(?:images?|image_urls?|image inputs?|vision|multi-?modal|mmproj)";
const AUDIO = "(?:audio|input_audio|audio inputs?)";

/** One file that cannot be read says nothing about others. */
const ABOUT_ONE =
  /decod|corrupt|malformed|damaged|truncated|base64|too (?:large|big|small|long|many)|exceed|dimension|resolution|pixel|format|mime|media[_ ]?type|download|(?:image|audio)\/|invalid (?:image|audio)\b|could not (?:process|read|load|open)/;

/** Whether it says that the model takes none of them at all. */
function saysNone(said: string, thing: string): boolean {
  if (ABOUT_ONE.test(said) || !new RegExp(thing).test(said)) return false;
  return [
    `(?:not|n't|cannot|unable to|no longer) (?:\\S+ ){0,2}?(?:support|accept|take|handle|process|understand|see|allow)\\w* (?:\\S+ ){0,3}?\\W?${thing}`,
    `${thing}\\W*(?:\\S+ ){0,4}?(?:not|n't|unsupported|only) ?(?:\\S+ ){0,2}?(?:support|accept|allow|permit|enabl|available)?`,
    `(?:unsupported|unknown|unexpected|invalid|unrecognized) (?:\\S+ ){0,4}?\\W?${thing}`,
    `no endpoints found (?:\\S+ ){0,4}?${thing}`,
    `not (?:a )?${thing}|text[- ]only|expected a string|mmproj`,
  ].some((sign) => new RegExp(sign).test(said));
}

/** What the person should know: the model sees less than it was given. */
export function remarkOn(quirk: Quirk, model: string): string | undefined {
  switch (quirk) {
    case "images":
      return `${model} takes no images: from now on it is only told that there are some.`;
    case "audio":
      return `${model} takes no audio: from now on it is only told that there is some.`;
    case "reasoning-content":
      return `${model} does not take its earlier reasoning back: from now on it is left out.`;
    case "max-tokens":
    case "temperature":
    case "reasoning-effort":
    case "reasoning-summary":
    case "stream-options":
    case "cache-key":
      return undefined;
  }
}
