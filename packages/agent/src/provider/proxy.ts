// Which proxy leads to an address: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in small letters or large.

import { errorCode } from "../fault/error-code.ts";
import { fieldOf } from "../json/fields.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy's address, or nothing when the way is direct. Small letters win, as with curl. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const { address } = find(url, env) ?? {};
  return address !== undefined && isUsable(address) ? address : undefined;
}

/** The variable that names a proxy we cannot go through, SOCKS above all: the way is direct, and somebody should know. */
export function unusableProxy(url: URL, env: Environment): string | undefined {
  const found = find(url, env);
  return found === undefined || isUsable(found.address) ? undefined : found.variable;
}

/** A proxy that is not there, or does not lead on. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Without names and passwords. */
  readonly host: string;

  constructor(proxy: string, cause: unknown) {
    const { host } = new URL(proxy);
    super(`the proxy ${host} does not answer`, { cause });
    this.host = host;
  }
}

/** Behind a proxy, only the way to the proxy itself is ours to open. */
export function isProxyFailure(thrown: unknown): boolean {
  for (let cause: unknown = thrown; cause instanceof Error; cause = cause.cause) {
    const syscall = fieldOf(cause, "syscall");
    const isLate = errorCode(cause) === "UND_ERR_CONNECT_TIMEOUT";
    if (syscall === "connect" || syscall === "getaddrinfo" || isLate) return true;
    if (/proxy response/i.test(cause.message)) return true;
  }
  return false;
}

interface Named {
  readonly variable: string;
  readonly address: string;
}

function find(url: URL, env: Environment): Named | undefined {
  const found = read(env, url.protocol === "https:" ? "https_proxy" : "http_proxy") ?? read(env, "all_proxy");
  if (found === undefined || isExcepted(url, read(env, "no_proxy")?.address ?? "")) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(found.address);
  return hasScheme ? found : { ...found, address: `http://${found.address}` };
}

function isUsable(address: string): boolean {
  return /^https?:/i.test(address) && URL.canParse(address);
}

function read(env: Environment, name: string): Named | undefined {
  for (const variable of [name, name.toUpperCase()]) {
    const address = env[variable]?.trim();
    if (address) return { variable, address };
  }
  return undefined;
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
