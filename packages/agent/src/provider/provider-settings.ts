// What settings say about one provider, from several files: each field with whose word it is.

import type { Found, ProviderSettings } from "./surroundings.ts";

/** Those that say it, the project first. */
export function wordsOn<Value>(
  settings: readonly Found<ProviderSettings>[],
  field: (settings: ProviderSettings) => Value | undefined,
): readonly Found<Value>[] {
  return settings.flatMap(({ value, origin, from }) => {
    const one = field(value);
    return one === undefined ? [] : [{ value: one, origin, from }];
  });
}

/** What the project says counts before what the person says. */
export function merge<Value>(
  settings: readonly Found<ProviderSettings>[],
  field: (settings: ProviderSettings) => Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> | undefined {
  const found = wordsOn(settings, field).toReversed();
  return found.length === 0 ? undefined : Object.fromEntries(found.flatMap(({ value }) => Object.entries(value)));
}

/** The variable that settings name instead of a key. */
export function namedKey({ apiKey = "" }: ProviderSettings): string | undefined {
  return /^\$\{?(\w+)\}?$/.exec(apiKey)?.[1];
}
