// What may be sent together. A base URL, headers or a body that come from a project never travel with a key that does not:
// else a project could have the person's key sent to itself.

import { hostOf, isLoopback } from "./address.ts";
import type { Found, Origin } from "./surroundings.ts";

/**
 * Whether what somebody says may be sent with this key to this address. Headers and bodies may be secrets of the person,
 * and some services follow addresses in them.
 */
export function mayTravel(origin: Origin, { key, url, baseUrl }: Travel): boolean {
  if (isLoopback(baseUrl)) return true;
  if (origin === "person") return url?.origin !== "project";
  return (key ?? url)?.origin === "project";
}

interface Travel {
  readonly key?: Pick<Found, "origin"> | undefined;
  readonly url?: Pick<Found, "origin"> | undefined;
  readonly baseUrl: string;
}

/** The URL and the key that belong together. A project's URL gets the project's key, or none; loopback gets any. */
export function pair(
  urls: readonly Found[],
  keys: readonly Found[],
  refuse: (url: Found, key: Found) => void,
): { readonly url?: Found | undefined; readonly key?: Found | undefined } {
  const [url] = urls;
  const [key] = keys;
  if (url?.origin !== "project" || key === undefined || key.origin === "project" || isLoopback(url.value)) {
    return { url, key };
  }
  const own = keys.find(({ origin }) => origin === "project");
  if (own !== undefined) return { url, key: own };
  refuse(url, key);
  return { url: urls.find(({ origin }) => origin === "person"), key };
}

/** Why the address of a project is not used, and what to do about it. */
export function refusal(name: string, url: Found, key: Found, variable: string): string {
  return (
    `${url.from} wants ${name} to be at ${hostOf(url.value)}. That is not used: your key (${key.from}) does not go to an ` +
    `address that a project chose. To allow it, set ${variable} in your own environment or in your own settings.json.`
  );
}
