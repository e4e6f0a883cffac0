// The many ways in which providers say that a conversation does not fit.

const OVERFLOW = [
  /context[ _-]?length[ _-]?exceeded|model_context_window_exceeded|context_window_exceeded|exceed_context_size/,
  /maximum (context|prompt) length|max(imum)? context (length|window|size)/,
  /(prompt|input|request|conversation|messages?) (is|are) too (long|large)|too long for (requested|the|this) model/,
  /(input|prompt) token count/,
  /exceeds? (the )?(maximum|max) (allowed )?(number of )?(input )?tokens/,
  /exceed(s|ed|ing)? (the |its |this |your |model'?s? |available |max(imum)? )*(model'?s? )?(context|token) (limit|length|window|size)/,
  /exceed(s|ed)? (the )?context (window|limit|length|size)/,
  /context (window|length|size|limit)\b.*\bexceed/,
  /(larger|longer|greater|more) than (the )?(model'?s? )?(maximum )?context/,
  /exceed(s|ed)? (the )?(model )?token limit|token limit (was )?exceeded/,
  /input length and `?max_tokens`? exceed/,
  /reduce the length of (the |your )?(messages|prompt|input)/,
  /context the overflows|context overflow|overflows? (the )?context/,
  /tokens to keep from the initial prompt/,
  /too many (input )?tokens|token(s)? exceed|tokens? (in|of) (the )?(prompt|request) exceed/,
  /prompt (token count|tokens?) .*exceeds/,
  /exceeds the limit of \d+/,
  /`?inputs`? tokens \+ `?max_new_tokens`?/,
  /range of input length should be/,
  /input length .* exceeds|input exceeds/,
  /request_too_large|request exceeds the maximum size|payload too large|request entity too large/,
  /does not fit (in|into) the context/,
];

/** What speaks of tokens but means an allowance over time. */
const RATE = /per (minute|day|hour|second)|\btp[md]\b|\brp[md]\b|rate[ _-]?limit|quota|too many requests|throttl/;

/** A setting that is too large, not the conversation. */
const SETTING =
  /max_tokens.*(too large|must be|less than|at most|maximum allowed|supports at most)|max_completion_tokens is too/;

/** `said` is what the provider said, codes and sentence. */
export function isOverflow(status: number | undefined, said: string): boolean {
  if (status === 429 || status === 401 || status === 403) return false;
  const lower = said.toLowerCase();
  if (RATE.test(lower)) return false;
  const isAboutSetting = SETTING.test(lower) && !/context|prompt|input/.test(lower);
  return !isAboutSetting && (status === 413 || OVERFLOW.some((sign) => sign.test(lower)));
}
