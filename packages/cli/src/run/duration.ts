// A time as it is written for a run: in seconds, or with its unit.

const UNITS: Readonly<Record<string, number>> = { "": 1_000, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Timers cannot wait for longer: almost 25 days. */
const MAX_MS = 2 ** 31 - 1;

/** In milliseconds; nothing for what is no time, or none that can be waited for. */
export function parseDuration(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? 0));
  return number === "" || ms <= 0 || ms > MAX_MS ? undefined : ms;
}
