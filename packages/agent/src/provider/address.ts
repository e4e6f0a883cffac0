// Where a provider is: what of its address may be said, and whether it is this machine.

/** An address of this machine: nobody else hears what is sent there. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname) || hostname.endsWith(".localhost");
}

/** Without names, passwords and paths. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an unknown place";
}

/** The same with the port it is reached at. */
export function hostAndPort(url: string): string {
  if (!URL.canParse(url)) return hostOf(url);
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** An address without what does not belong into a base URL: a name and a password, a query, and what stands behind it. */
export function bareUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const bare = new URL(url);
  if (bare.username + bare.password + bare.search + bare.hash === "" && !/[?#]/.test(url)) return url;
  bare.username = "";
  bare.password = "";
  bare.search = "";
  bare.hash = "";
  return bare.href;
}
