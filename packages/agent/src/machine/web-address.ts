// Which addresses of the web may be fetched: those in the open internet, and ranges that were named. A name is looked up
// once, and what was checked is what is connected to, so that a second answer of its server changes nothing.

import { lookup as lookUp } from "node:dns/promises";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { type AddressRange, isIn, isPublic, parseAddress, parseRange } from "./address.ts";
import { MachineError } from "./machine.ts";

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface AddressPolicy {
  readonly lookup: Lookup;
  /** Also these, although they are not public. */
  readonly allowed: readonly AddressRange[];
}

const LOOKUP_MS = 5_000;
const LOCAL_DOMAINS = ["localhost", "local", "internal", "localdomain", "home.arpa", "lan", "intranet", "onion"];
/** Names under which clouds tell machines their secrets. */
const METADATA_NAMES = ["metadata.goog", "metadata.tencentyun.com"];

export const systemLookup: Lookup = async (host) =>
  (await lookUp(host, { all: true, verbatim: true })).map(({ address }) => address);

/** What is no range is left out. */
export function parseRanges(texts: readonly string[]): readonly AddressRange[] {
  return texts.map(parseRange).filter((range) => range !== undefined);
}

/** The address itself, before anything is looked up. Throws `denied`. */
export function parseWebUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw denied(`${JSON.stringify(text.slice(0, 200))} is not an address of the web`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw denied(`only http and https are fetched, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") throw denied("the address carries a user name or a password");
  if (hostOf(url) === "") throw denied("the address names no host");
  const port = Number(url.port || 443);
  if (port < 1024 && port !== 80 && port !== 443) throw denied(`port ${port} is not one of the web`);
  return url;
}

/** Lower case, without brackets and final dots. */
export function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "");
}

/**
 * The addresses of the host, each of them checked. Throws `denied` when a single one is not public: a name that answers
 * both ways is set up to be taken for public, and which of its addresses is connected to would be its choice.
 */
export async function resolvePublic(url: URL, policy: AddressPolicy, signal: AbortSignal): Promise<readonly string[]> {
  const host = hostOf(url);
  if (checkHost(host, policy) === "address") return [host];
  const addresses = await lookUpWithin(host, policy.lookup, signal);
  const refused = addresses.find((text) => !mayReach(text, policy, { isLocal: isLocalName(host) }));
  if (refused !== undefined) throw notPublic(host, refused);
  return addresses;
}

/** What can be told without looking the name up. Throws `denied`. */
export function checkHost(host: string, policy: AddressPolicy): "address" | "name" {
  if (parseAddress(host) === undefined) {
    // A local name may lead where somebody allowed to go, and nowhere else.
    if (isLocalName(host) && policy.allowed.length === 0)
      throw denied(`${host} is a name of this machine or its network`);
    return "name";
  }
  if (!mayReach(host, policy, { isLocal: false })) throw notPublic(host, host);
  return "address";
}

function mayReach(text: string, { allowed }: AddressPolicy, { isLocal }: { readonly isLocal: boolean }): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  return allowed.some((range) => isIn(address, range)) || (!isLocal && isPublic(address));
}

/** Names that only this machine or its network knows. */
function isLocalName(host: string): boolean {
  if (!host.includes(".") || METADATA_NAMES.includes(host)) return true;
  return LOCAL_DOMAINS.some((domain) => host.endsWith(`.${domain}`));
}

/** Through a proxy, a name that cannot be looked up here is no fault: the proxy may know it. */
export function isUnknownHost(error: unknown): boolean {
  return error instanceof MachineError && error.code === "not-found";
}

async function lookUpWithin(host: string, lookup: Lookup, signal: AbortSignal): Promise<readonly string[]> {
  const late = AbortSignal.timeout(LOOKUP_MS);
  let found: readonly string[] | typeof ABORTED;
  try {
    found = await orAborted(lookup(host), AbortSignal.any([signal, late]));
  } catch (cause) {
    signal.throwIfAborted();
    throw new MachineError("not-found", `The host ${host} was not found`, { cause });
  }
  signal.throwIfAborted();
  if (found === ABORTED) throw new MachineError("failed", `The host ${host} was not found within 5 seconds`);
  if (found.length === 0) throw new MachineError("not-found", `The host ${host} has no address`);
  return found;
}

function notPublic(host: string, address: string): MachineError {
  const what = host === address ? host : `${host} leads to ${address}, which`;
  return denied(`${what} is not an address in the public internet`);
}

function denied(why: string): MachineError {
  return new MachineError("denied", `blocked outbound request — ${why}`);
}
