// Which addresses of the web are refused, in whatever spelling, and what names may lead to.

import { describe, expect, test } from "vitest";
import { checkHost, hostOf, parseRanges, parseWebUrl, resolvePublic } from "./web-address.ts";

const signal = new AbortController().signal;
const nowhere = async (): Promise<string[]> => {
  throw new Error("looked up");
};
const none = { lookup: nowhere, allowed: [] };

const refused = [
  "ftp://example.com/", "file:///etc/passwd", "gopher://example.com:70/", "data:text/html,hi", "javascript:alert(1)",
  "ws://example.com/", "blob:https://example.com/x", "about:blank", "example.com", "//example.com/", "http://", "https://",
  "http://user@example.com/", "http://user:secret@example.com/", "http://:secret@example.com/", "http://a@b@example.com/",
  "http://example.com:22/", "http://example.com:25/", "http://example.com:0/", "http://example.com:1023/",
  "http://example.com:65536/", "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://localhost../",
  "http://localhost:8080/", "http://foo.localhost/", "http://printer/", "http://printer./", "http://printer.local/",
  "http://db.internal/", "http://metadata.google.internal/", "http://metadata.google.internal./",
  "http://host.docker.internal/", "http://kubernetes.default.svc.cluster.local/", "http://x.localdomain/",
  "http://router.home.arpa/", "http://metadata/", "http://metadata.goog/", "http://127.0.0.1/", "http://127.1/",
  "http://127.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/",
  "http://0177.0.0.01/", "http://017700000001/", "http://0/", "http://0.0.0.0/", "http://127.0.0.1./", "http://00.0.0.0/",
  "http://127.0.0.1:8000/", "http://10.0.0.1/", "http://012.0.0.1/", "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://192.168.1.1/", "http://172.16.0.1/",
  "http://100.100.100.200/", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://⓪.⓪.⓪.⓪/", "http://%31%32%37.0.0.1/",
  "http://127.0.0.1%2f@example.com/", "http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:a9fe:a9fe]/", "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/", "http://[fd00:ec2::254]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[ff02::1]/",
  "http://[::127.0.0.1]/", "http://localhost#@example.com/", "http://localhost?.com",
  "http:127.0.0.1", "http:\\\\127.0.0.1\\", "http:/\t/127.0.0.1/", " http://127.0.0.1/ ", "HTTP://LOCALHOST", "http://ⓛocalhost/",
]; // biome-ignore format: a table

const accepted = [
  "http://example.com\\@127.0.0.1:22/",
  "http://example.com/", "https://example.com/a?b#c", "https://EXAMPLE.com.", "http://example.com:80/",
  "http://example.com:443/", "https://example.com:8443/", "http://example.com:3000/", "http://8.8.8.8/",
  "https://[2606:4700:4700::1111]/", "http://134744072/", "https://пример.рф/", "https://internal.example.com/",
  "https://localhost.example.com/", "https://not.locals/", "http://127.0.0.1.example.com/",
]; // biome-ignore format: a table

test("has a table worth its name", () => {
  expect(refused.length).toBeGreaterThanOrEqual(80);
});

test.each(refused)("refuses %j without looking anything up", (text) => {
  expect(() => checkHost(hostOf(parseWebUrl(text)), none)).toThrow(/^blocked outbound request — /);
});

test.each(accepted)("takes %j for an address of the web", (text) => {
  expect(() => checkHost(hostOf(parseWebUrl(text)), none)).not.toThrow();
});

describe("resolvePublic", () => {
  const resolve = (url: string, addresses: readonly string[], ranges: readonly string[] = []) =>
    resolvePublic(new URL(url), { lookup: async () => addresses, allowed: parseRanges(ranges) }, signal);

  test("answers with what was looked up", async () => {
    expect(await resolve("http://a.test/", ["8.8.8.8", "2606:4700::1"])).toEqual(["8.8.8.8", "2606:4700::1"]);
  });

  test.each([
    [["127.0.0.1"]],
    [["8.8.8.8", "10.0.0.1"]],
    [["10.0.0.1", "8.8.8.8"]],
    [["8.8.8.8", "::1"]],
    [["::ffff:192.168.0.1"]],
    [["fe80::1%eth0"]],
    [["not an address"]],
  ])("refuses a name that leads to %j", async (addresses) => {
    await expect(resolve("http://a.test/", addresses)).rejects.toThrow(
      /a\.test leads to .* not an address in the public/,
    );
  });

  test("lets named ranges through, and nothing beside them", async () => {
    expect(await resolve("http://a.test/", ["10.1.0.1"], ["10.1.0.0/16", "nonsense"])).toEqual(["10.1.0.1"]);
    await expect(resolve("http://a.test/", ["10.2.0.1"], ["10.1.0.0/16"])).rejects.toThrow("blocked");
    expect(await resolve("http://127.0.0.1/", [], ["127.0.0.0/8"])).toEqual(["127.0.0.1"]);
    expect(await resolve("http://[::1]/", [], ["::1"])).toEqual(["::1"]);
  });

  test("a local name leads only into named ranges", async () => {
    expect(await resolve("http://wiki/", ["10.1.0.1"], ["10.1.0.0/16"])).toEqual(["10.1.0.1"]);
    await expect(resolve("http://wiki/", ["8.8.8.8"], ["10.1.0.0/16"])).rejects.toThrow("blocked");
  });

  test("says when a name is unknown, and waits for no one", async () => {
    await expect(resolvePublic(new URL("http://a.test/"), none, signal)).rejects.toThrow(
      "The host a.test was not found",
    );
    await expect(resolve("http://a.test/", [])).rejects.toThrow("has no address");
    const stop = new AbortController();
    const never = { lookup: () => new Promise<never>(() => {}), allowed: [] };
    const waiting = resolvePublic(new URL("http://a.test/"), never, stop.signal);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
