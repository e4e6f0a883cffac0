import { expect, test } from "vitest";
import { proxyFor } from "./proxy.ts";

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
