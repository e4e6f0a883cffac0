import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createConsent } from "./consent.ts";

let home = "";
const file = (): string => join(home, "mcp-consent.json");
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "agentao-consent-")), "home");
});
afterEach(() => rmSync(join(home, ".."), { recursive: true, force: true }));

const server = { name: "files", fingerprint: "aa" };

test("nothing is given before somebody gave it", async () => {
  const consent = createConsent(home);
  expect([await consent.isGiven("/p", server), await consent.answer("/p", server)]).toEqual([false, undefined]);
});

test("what was given is known to the next one, in a file for the person alone", async () => {
  expect(await createConsent(home).give("/p/", server)).toEqual({ type: "kept" });
  expect(await createConsent(home).isGiven("/p", server)).toBe(true);
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
    version: 1,
    projects: { "/p": { files: { fingerprint: "aa", answer: "given" } } },
  });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(["mcp-consent.json"]);
});

test.each([
  ["/other", server],
  ["/p", { ...server, name: "Files" }],
  ["/p", { ...server, fingerprint: "ab" }],
])("it does not count for %s, %j", async (project, other) => {
  const consent = createConsent(home);
  await consent.give("/p", server);
  expect(await consent.answer(project, other)).toBeUndefined();
  expect(await createConsent(home).answer(project, other)).toBeUndefined();
});

test("a refusal is remembered, takes back what was given, and is forgotten when the server changes", async () => {
  const consent = createConsent(home);
  await consent.give("/p", server);
  await consent.refuse("/p", server);
  expect(await consent.answer("/p", server)).toBe("refused");
  expect(await createConsent(home).isGiven("/p", server)).toBe(false);
  expect(await consent.answer("/p", { ...server, fingerprint: "ab" })).toBeUndefined();
});

test("many answers at once, of several, are all kept", async () => {
  const consent = createConsent(home);
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
  await Promise.all(names.map((name) => consent.give("/p", { name, fingerprint: name })));
  await createConsent(home).give("/q", server);
  const later = createConsent(home);
  const given = await Promise.all(names.map((name) => later.isGiven("/p", { name, fingerprint: name })));
  expect(given).toEqual(names.map(() => true));
});

test.each([
  "",
  "{",
  "[]",
  '{"projects": []}',
  '{"projects": {"/p": {"files": "given"}}}',
  '{"projects": {"/p": {"files": {"fingerprint": "aa", "answer": true}}}}',
  '{"projects": {"__proto__": {"files": {"fingerprint": "aa", "answer": "given"}}}}',
  '{"projects": {"/p": {"__proto__": {"fingerprint": "aa", "answer": "given"}}}}',
  '{"__proto__": {"projects": {"/p": {"files": {"fingerprint": "aa", "answer": "given"}}}}}',
])("a file of %j gives nothing, and is replaced by the next answer", async (text) => {
  mkdirSync(home);
  writeFileSync(file(), text);
  const consent = createConsent(home);
  expect(await consent.answer("/p", server)).toBeUndefined();
  await consent.give("/p", server);
  expect(await createConsent(home).isGiven("/p", server)).toBe(true);
});

test("names of prototypes are names", async () => {
  const strange = { name: "__proto__", fingerprint: "aa" };
  await createConsent(home).give("/__proto__", strange);
  expect(await createConsent(home).isGiven("/__proto__", strange)).toBe(true);
});

test("without a home, or where it cannot be written, it counts here and says why it is not kept", async () => {
  const homeless = createConsent(undefined);
  expect(await homeless.give("/p", server)).toMatchObject({
    type: "not-kept",
    why: expect.stringContaining("AGENTAO_HOME"),
  });
  expect(await homeless.isGiven("/p", server)).toBe(true);

  writeFileSync(home, "a file where the folder should be");
  const blocked = createConsent(home);
  expect(await blocked.give("/p", server)).toMatchObject({ type: "not-kept" });
  expect(await blocked.isGiven("/p", server)).toBe(true);
});
