// When a provider says to come back.

type Headers = Readonly<Record<string, string | undefined>>;

/** `retry-after-ms`, `retry-after` as seconds or as a date, or Google's `retryDelay` in the body. */
export function retryAfterMs(headers: Headers, body: string, now: number): number | undefined {
  const ms = toNumber(headers["retry-after-ms"]);
  if (ms !== undefined) return Math.round(ms);
  const after = headers["retry-after"];
  const seconds = toNumber(after);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const date = after === undefined ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const delay = toNumber(/"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]);
  return delay === undefined ? undefined : Math.round(delay * 1000);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
