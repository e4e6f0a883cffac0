import { expect, test } from "vitest";
import { isProxyFailure, ProxyError, proxyFor, unusableProxy } from "./proxy.ts";

const P = "http://proxy:3128";

const rows: readonly (readonly [url: string, env: Record<string, string>, proxy: string | undefined])[] = [
  ["https://api.example.com/v1", {}, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P }, P],
  ["https://api.example.com/v1", { https_proxy: P }, P],
  ["https://api.example.com/v1", { HTTP_PROXY: P }, undefined],
  ["http://api.example.com/v1", { HTTP_PROXY: P }, P],
  ["http://api.example.com/v1", { http_proxy: P, HTTP_PROXY: "http://other:1" }, P],
  ["https://api.example.com/v1", { ALL_PROXY: P }, P],
  ["https://api.example.com/v1", { HTTPS_PROXY: "proxy:3128" }, P],
  ["https://api.example.com/v1", { HTTPS_PROXY: "socks5://proxy:1080" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: "  " }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, NO_PROXY: "*" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, NO_PROXY: "example.com" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, NO_PROXY: ".example.com" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, NO_PROXY: "*.Example.com" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, no_proxy: "other, api.example.com:443" }, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: P, NO_PROXY: "api.example.com:8443" }, P],
  ["https://badexample.com/v1", { HTTPS_PROXY: P, NO_PROXY: "example.com" }, P],
  ["http://127.0.0.1:11434/v1", { HTTP_PROXY: P }, P],
  ["http://127.0.0.1:11434/v1", { HTTP_PROXY: P, NO_PROXY: "localhost,127.0.0.1" }, undefined],
  ["http://[::1]:11434/v1", { HTTP_PROXY: P, NO_PROXY: "::1" }, undefined],
  ["http://[::1]:11434/v1", { HTTP_PROXY: P, NO_PROXY: "[::1]:11434" }, undefined],
];

test.each(rows)("%s with %j goes through %s", (url, env, proxy) => {
  expect(proxyFor(new URL(url), env)).toBe(proxy);
});

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ HTTPS_PROXY: P }, undefined],
  [{ ALL_PROXY: "socks5://proxy:1080" }, "ALL_PROXY"],
  [{ https_proxy: "socks4a://proxy:1080", ALL_PROXY: P }, "https_proxy"],
  [{ ALL_PROXY: "socks5://proxy:1080", NO_PROXY: "example.com" }, undefined],
  [{ HTTP_PROXY: "socks5://proxy:1080" }, undefined],
])("with %j the variable to tell of is %s", (env, variable) => {
  expect(unusableProxy(new URL("https://api.example.com/v1"), env)).toBe(variable);
});

test("a proxy is named by its host, and blamed for what happens on the way to it", () => {
  expect(new ProxyError("http://bob:secret@proxy:3128", undefined)).toMatchObject({ host: "proxy:3128" });
  const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED", syscall: "connect" });
  const reset = Object.assign(new Error("x"), { code: "ECONNRESET", syscall: "read" });
  expect([refused, new TypeError("fetch failed", { cause: refused }), reset, "x"].map(isProxyFailure)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
