import { expect, test } from "vitest";
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
