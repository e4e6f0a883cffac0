// Which proxy leads to an address: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in small letters or large.

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy's address, or nothing when the way is direct. Small letters win, as with curl. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const proxy = read(env, url.protocol === "https:" ? "https_proxy" : "http_proxy") ?? read(env, "all_proxy");
  if (proxy === undefined || isExcepted(url, read(env, "no_proxy") ?? "")) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  // Other kinds, SOCKS above all, are left alone: the way there is not ours to open.
  return /^https?:/i.test(address) && URL.canParse(address) ? address : undefined;
}

function read(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined;
}

function isExcepted(url: URL, exceptions: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && matches(entry, host, port));
}

/** `*`, `host`, `.domain`, `*.domain`, each with or without a port; a domain stands for all hosts below it. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = "", onlyPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const domain = name.replace(/^\[|\]$/g, "").replace(/^\*?\./, "");
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}
