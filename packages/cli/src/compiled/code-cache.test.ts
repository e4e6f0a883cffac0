import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCodeCache } from "./code-cache.ts";

const key = { hash: "abc", purpose: "run" };
const code = Buffer.from("compiled code of some length");

let root: string;
let beside: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "agentao-code-"));
  beside = join(root, "program/cache");
  home = join(root, "home/cache");
  mkdirSync(join(root, "program"));
  mkdirSync(join(root, "home"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

test("what was written is read, with its age", () => {
  const cache = openCodeCache([beside, home], key);
  expect(cache.read()).toBeUndefined();
  cache.write({ code, generation: 2 });
  expect(cache.read()).toEqual({ code, generation: 2, madeAt: expect.any(Number) });
  expect(readdirSync(beside)).toEqual([expect.stringMatching(/^run-abc-v[\d.]+-\w+\.bin$/)]);
});

test("another content of the file, and another purpose, have code of their own", () => {
  openCodeCache([beside], key).write({ code, generation: 0 });
  expect(openCodeCache([beside], { ...key, hash: "abd" }).read()).toBeUndefined();
  expect(openCodeCache([beside], { ...key, purpose: "chat" }).read()).toBeUndefined();
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["a bit that has flipped", (bytes) => Buffer.from(bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte)))],
  ["another generation", (bytes) => Buffer.from(bytes.map((byte, at) => (at === 4 ? byte + 1 : byte)))],
  ["a part of it", (bytes) => bytes.subarray(0, bytes.length - 3)],
  ["its head alone", (bytes) => bytes.subarray(0, 8)],
  ["nothing", () => Buffer.alloc(0)],
])("%s is not used, and what stands in the next place is", (_, damage) => {
  openCodeCache([home], key).write({ code, generation: 1 });
  const cache = openCodeCache([beside, home], key);
  cache.write({ code, generation: 0 });
  const [name = ""] = readdirSync(beside);
  writeFileSync(join(beside, name), damage(readFileSync(join(beside, name))));
  expect(cache.read()).toMatchObject({ generation: 1 });
});

test("where the file's folder cannot be written, the home has it", () => {
  rmSync(join(root, "program"), { recursive: true });
  openCodeCache([beside, home], key).write({ code, generation: 0 });
  expect(readdirSync(home)).toHaveLength(1);
});

test("without a place there is none, and no complaint", () => {
  for (const folders of [[], [join(root, "no/such/folder")]]) {
    const cache = openCodeCache(folders, key);
    cache.write({ code, generation: 0 });
    expect(cache.read()).toBeUndefined();
  }
});

test("what another person wrote is not run", () => {
  const cache = openCodeCache([beside], key);
  cache.write({ code, generation: 0 });
  const uid = process.getuid?.() ?? 0;
  vi.spyOn(process, "getuid").mockReturnValue(uid + 1);
  // Root may change the program itself, so its word counts for everybody.
  expect(cache.read() === undefined).toBe(uid !== 0);
});

test("code of the same purpose that nobody has made for a month is removed, and nothing else", () => {
  mkdirSync(beside);
  const monthAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  for (const name of ["run-old-v1-x.bin", "chat-old-v1-x.bin"]) {
    writeFileSync(join(beside, name), "");
    utimesSync(join(beside, name), monthAgo, monthAgo);
  }
  writeFileSync(join(beside, "run-new-v1-x.bin"), "");
  openCodeCache([beside], key).write({ code, generation: 0 });
  expect(readdirSync(beside).map((name) => name.split("-v")[0])).toEqual(["chat-old", "run-abc", "run-new"]);
});
