import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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

test("what a killed program left half written is removed after an hour, and what is being written is not", () => {
  mkdirSync(beside);
  for (const name of ["run-abc-v1-x.bin.7", "run-abc-v1-x.bin.8"]) writeFileSync(join(beside, name), "");
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(join(beside, "run-abc-v1-x.bin.7"), hoursAgo, hoursAgo);
  openCodeCache([beside], key).write({ code, generation: 0 });
  expect(readdirSync(beside)).toEqual(["run-abc-v1-x.bin.8", expect.stringMatching(/^run-abc-v[\d.]+-\w+\.bin$/)]);
});

test("what cannot be removed is no reason to write elsewhere, too", () => {
  const monthAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  mkdirSync(join(beside, "run-old-folder/with"), { recursive: true });
  utimesSync(join(beside, "run-old-folder"), monthAgo, monthAgo);
  openCodeCache([beside, home], key).write({ code, generation: 0 });
  expect(readdirSync(join(root, "home"))).toEqual([]);
});

test("code in a folder that cannot be written any more makes room for newer code in the next", () => {
  openCodeCache([beside], key).write({ code, generation: 0 });
  const [name = ""] = readdirSync(beside);
  const dayAgo = new Date(Date.now() - 24 * 3_600_000);
  utimesSync(join(beside, name), dayAgo, dayAgo);
  openCodeCache([home], key).write({ code, generation: 1 });
  expect(openCodeCache([beside, home], key).read()).toMatchObject({ generation: 1 });
});

describe.skipIf(process.platform === "win32")("what others could have put there is not run", () => {
  let path: string;

  beforeEach(() => {
    openCodeCache([beside], key).write({ code, generation: 0 });
    path = join(beside, readdirSync(beside)[0] ?? "");
  });

  test.each([0o620, 0o602])("a file that others can write (%o)", (mode) => {
    chmodSync(path, mode);
    expect(openCodeCache([beside], key).read()).toBeUndefined();
  });

  test("a link, also to a file of our own", () => {
    renameSync(path, join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), path);
    expect(openCodeCache([beside], key).read()).toBeUndefined();
  });

  test("a pipe, and nobody waits for its other end", () => {
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(openCodeCache([beside], key).read()).toBeUndefined();
  });
});
