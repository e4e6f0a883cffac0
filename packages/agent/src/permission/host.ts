// Hosts of addresses: whose they are, and whether a list names them. Nothing here resolves a name.

/** Documentation that anybody may read. No proxies: who may fetch through one may fetch from anywhere. */
const DOCUMENTATION = [".github.com", ".docs.python.org", ".wikipedia.org", ".pypi.org", ".readthedocs.io"];

const LOCAL = [".localhost", ".local", ".internal", ".localdomain", ".cluster.local", ".home.arpa"];

/** Lower case, without brackets, port and final dot; nothing unless it is an http address. */
export function hostOf(url: string): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return undefined;
  }
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  const host = parsed.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "");
  return host === "" ? undefined : host;
}

/** An entry with a leading dot names a domain and everything under it, one without names itself. */
export function isListed(host: string, list: readonly string[]): boolean {
  return list.some((entry) => {
    const name = entry.trim().toLowerCase().replace(/\.+$/, "");
    return name.startsWith(".") ? host === name.slice(1) || host.endsWith(name) : host === name;
  });
}

export function isDocumentation(host: string): boolean {
  return isListed(host, DOCUMENTATION);
}

/** This machine, its network, and what only they can reach: cloud metadata, names without a domain. */
export function isLocal(host: string): boolean {
  if (host.includes(":")) return isLocalV6(host);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isLocalV4(host);
  return !host.includes(".") || isListed(host, LOCAL);
}

function isLocalV4(host: string): boolean {
  const [a = 0, b = 0] = host.split(".").map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 198) return b === 18 || b === 19;
  return a === 192 && b === 168;
}

/** Also IPv4 in IPv6 clothes: mapped (`::`), NAT64 (`64:ff9b:`) and 6to4 (`2002:`). */
function isLocalV6(host: string): boolean {
  return /^(::|64:ff9b:|2002:|f[cd][0-9a-f]{2}:|fe[89a-f][0-9a-f]:|ff)/.test(host);
}
