import { parseSettings } from "@agentao/agent";
import { expect, test } from "vitest";
import { setInJson } from "./json-edit.ts";
import { KNOWN_SETTINGS, knownBeside } from "./known-settings.ts";

test("knows what may stand where", () => {
  expect(knownBeside(["modle"])).toEqual(KNOWN_SETTINGS);
  expect(knownBeside(["context", "x"])).toEqual(["compactAt"]);
  expect(knownBeside(["providers", "openai", "x"])).toContain("baseUrl");
  expect(knownBeside(["providers", "openai", "models", "gpt", "prices", "x"])).toContain("cacheWrite");
});

test.each([
  ["providers", "x"],
  ["providers", "openai", "headers", "x"],
  ["goal", "x"],
  ["colour", "theme"],
])("lets any name stand at %s.%s", (...path) => {
  expect(knownBeside(path)).toBeUndefined();
});

/** Nothing that any of them takes. */
const NONSENSE = [[1]];
const model = { providers: { acme: { models: { "acme-1": {} } } } };
const places: readonly (readonly string[])[] = [
  ["context"],
  ["webSearch"],
  ["providers", "acme"],
  ["providers", "acme", "models", "acme-1"],
];

test.each(places)("names at %s %s are read by agentao, so that none is known in vain", (...path) => {
  const known = knownBeside([...path, "x"]) ?? [];
  expect(known.length).toBeGreaterThan(0);
  for (const name of known) {
    const text = setInJson(JSON.stringify(model), [...path, name], NONSENSE);
    expect(parseSettings(text, "file").problems.join("\n")).toContain(name);
  }
});
