// Internet addresses as numbers: reading them, ranges of them, and which of them lie in the open internet. Pure; no name
// is looked up here. The tables follow IANA's registries of special-purpose addresses, and leave out what serves nobody.

export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export interface AddressRange {
  readonly first: Address;
  readonly prefix: number;
}

/** IPv4 in four decimal parts, IPv6 without a zone. IPv4 in IPv6 clothes (`::ffff:`) is IPv4. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const address = plain.includes(":") ? parseV6(plain) : parseV4(plain);
  return address !== undefined && isIn(address, MAPPED) ? v4In(address, 0) : address;
}

/** `10.0.0.0/8`, or a single address. */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = "", length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const first = parseAddress(base);
  if (first === undefined) return undefined;
  const prefix =
    length === undefined ? first.bits : Number(length) - (base.includes(":") && first.bits === 32 ? 96 : 0);
  return prefix >= 0 && prefix <= first.bits ? { first, prefix } : undefined;
}

export function isIn({ bits, value }: Address, { first, prefix }: AddressRange): boolean {
  if (bits !== first.bits) return false;
  const rest = BigInt(bits - prefix);
  return value >> rest === first.value >> rest;
}

/** What carries an IPv4 address inside is judged by that one, too. */
export function isPublic(address: Address): boolean {
  if (address.bits === 32) return !CLOSED_V4.some((range) => isIn(address, range));
  const inner = innerOf(address);
  if (inner !== undefined) return inner.every(isPublic);
  return isIn(address, OPEN_V6) && !CLOSED_V6.some((range) => isIn(address, range));
}

function range(text: string): AddressRange {
  const read = parseRange(text);
  if (read === undefined) throw new Error(`${text} is no range of addresses`);
  return read;
}

const MAPPED: AddressRange = { first: { bits: 128, value: 0xffffn << 32n }, prefix: 96 };

const CLOSED_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's translation
  "127.0.0.0/8", // this machine
  "168.63.129.16/32", // what a cloud tells its machines, at an address that looks public
  "169.254.0.0/16", // this link, and what clouds tell their machines
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays of 6to4, retired
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
].map(range);

/** Everything else is this machine, this link, this site, multicast, or not given to anybody. */
const OPEN_V6 = range("2000::/3");

const CLOSED_V6 = [
  "2001::/23", // protocol assignments, benchmarks
  "2001:db8::/32", // documentation
  "3fff::/20", // documentation
].map(range);

const TEREDO = range("2001::/32");
const SIX_TO_FOUR = range("2002::/16");
const NAT64 = range("64:ff9b::/96");

/** The IPv4 addresses that packets to this one end up at, or pass. */
function innerOf(address: Address): readonly Address[] | undefined {
  if (isIn(address, NAT64)) return [v4In(address, 0)];
  if (isIn(address, SIX_TO_FOUR)) return [v4In(address, 80)];
  if (isIn(address, TEREDO)) return [v4In(address, 64), v4In({ ...address, value: ~address.value }, 0)];
  // ISATAP: the interface is called 0:5efe or 200:5efe, and then IPv4.
  const name = (address.value >> 32n) & 0xffff_ffffn;
  if (isIn(address, OPEN_V6) && (name & ~0x0300_0000n) === 0x5efen) return [v4In(address, 0)];
  return undefined;
}

function v4In({ value }: Address, shift: number): Address {
  return { bits: 32, value: BigInt.asUintN(32, value >> BigInt(shift)) };
}

function parseV4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

function parseV6(text: string): Address | undefined {
  const words = withoutDots(text);
  if (words === undefined) return undefined;
  const [head = "", tail, ...more] = words.split("::");
  if (more.length > 0) return undefined;
  const [before, after] = [toGroups(head), toGroups(tail ?? "")];
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array<bigint>(missing).fill(0n), ...after];
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | group, 0n) };
}

/** The last four bytes may be written as IPv4. */
function withoutDots(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const inner = parseV4(text.slice(at));
  if (inner === undefined) return undefined;
  return `${text.slice(0, at)}${(inner.value >> 16n).toString(16)}:${(inner.value & 0xffffn).toString(16)}`;
}

function toGroups(text: string): bigint[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => BigInt(`0x${group}`))
    : undefined;
}
