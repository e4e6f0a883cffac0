// Which addresses are public: a table of every special range and its edges, and of what hides IPv4 inside.

import fc from "fast-check";
import { expect, test } from "vitest";
import { isIn, isPublic, parseAddress, parseRange } from "./address.ts";

const closed = [
  "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255",
  "127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.0", "172.31.255.255",
  "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
  "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
  "::", "::1", "::7f00:1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.1.2.3",
  "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "64:ff9b:1::8.8.8.8", "100::1",
  "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:a00:1:8000:63bf:f7f7:f7f7",
  "2001:0:808:808:8000:63bf:80ff:fffe", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2001:1ff::1",
  "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1", "2002:a9fe:a9fe::", "2606:4700::5efe:127.0.0.1",
  "2606:4700::200:5efe:10.0.0.1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1",
  "fec0::1", "ff02::1", "ffff::1",
]; // biome-ignore format: a table

const open = [
  "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
  "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.0.3.1",
  "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.114.1", "223.255.255.255",
  "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808:8000:63bf:f7f7:f7f7", "2001:200::1",
  "2001:4860:4860::8888", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "3ffe::1",
  "2606:4700::5efe:8.8.8.8",
]; // biome-ignore format: a table

const unreadable = [
  "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f.0.0.1", "1.2.3.4 ", "1.2.3.-4", ":", ":::", "1::2::3",
  "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "fe80::1%eth0", "::1.2.3", "::1.2.3.256", "1:2:3:4:5:6:7:8::",
  "[::1", "localhost",
]; // biome-ignore format: a table

test.each(closed)("does not hold %s for public", (text) => {
  const address = parseAddress(text);
  expect(address).toBeDefined();
  expect(address && isPublic(address)).toBe(false);
});

test.each(open)("holds %s for public", (text) => {
  const address = parseAddress(text);
  expect(address && isPublic(address)).toBe(true);
});

test.each(unreadable)("does not read %j as an address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test("reads every spelling of an address as the same", () => {
  const spellings = ["::ffff:1.2.3.4", "::FFFF:102:304", "0:0:0:0:0:ffff:102:304", "[::ffff:1.2.3.4]", "1.2.3.4"];
  for (const text of spellings) expect(parseAddress(text)).toEqual({ bits: 32, value: 0x01020304n });
});

test("wraps of an IPv4 address are as public as it is", () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffffffff }), (number) => {
      const bytes = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
      const v4 = bytes.join(".");
      const hex = (from: number) => (((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)).toString(16);
      const judge = (text: string) => isPublic(parseAddress(text) ?? { bits: 32, value: 0n });
      const wraps = [`::ffff:${v4}`, `64:ff9b::${v4}`, `2002:${hex(0)}:${hex(2)}::1`];
      expect(wraps.map(judge)).toEqual(wraps.map(() => judge(v4)));
    }),
  );
});

test.each([
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.1", "127.0.0.2", false],
  ["0.0.0.0/0", "8.8.8.8", true],
  ["0.0.0.0/0", "::1", false],
  ["fd00::/8", "fd12::1", true],
  ["fd00::/8", "fe80::1", false],
  ["::ffff:10.0.0.0/104", "10.1.1.1", true],
  ["10.0.0.0/8", "::ffff:10.1.1.1", true],
  ["::1/128", "::1", true],
] as const)("knows whether %s contains %s: %s", (range, address, expected) => {
  const [read, one] = [parseRange(range), parseAddress(address)];
  expect(read && one && isIn(one, read)).toBe(expected);
});

test.each(["", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "::/129", "::ffff:1.2.3.4/8", "ten/8"])(
  "does not read %j as a range",
  (text) => {
    expect(parseRange(text)).toBeUndefined();
  },
);
