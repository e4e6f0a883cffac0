import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { examine } from "./doctor.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const look = (env: Record<string, string>, nodeVersion = "20.20.0") =>
  examine({ env: { AGENTAO_HOME: join(folder, "home"), AGENTAO_LOCAL_MODELS: "0", ...env }, cwd: folder, nodeVersion });

test("says that all is well, by names and never by values", async () => {
  const findings = await look({ OPENAI_API_KEY: "sk-secret", HTTPS_PROXY: "http://me:hunter22@proxy.example" });
  expect(findings).toEqual([
    { type: "fine", topic: "node", message: "Node 20.20.0." },
    { type: "fine", topic: "home", message: `${join(folder, "home")} can be written.` },
    { type: "fine", topic: "model", message: "openai/gpt-6.1-sol because OPENAI_API_KEY is set." },
    { type: "fine", topic: "keys", message: "Set: OPENAI_API_KEY." },
    { type: "fine", topic: "servers", message: "No local server was needed or found." },
    { type: "fine", topic: "settings", message: "There are no settings files." },
    { type: "fine", topic: "proxy", message: "Set: HTTPS_PROXY." },
  ]);
});

test("says what to do where there is no key", async () => {
  expect(await look({})).toContainEqual({
    type: "warning",
    topic: "model",
    message:
      "scripted/demo because there is no key and no local server. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or another key, or start Ollama.",
  });
});

test("calls a chosen provider without its key broken", async () => {
  expect(await look({ LLM_PROVIDER: "xai" })).toContainEqual({
    type: "broken",
    topic: "model",
    message: "xai/grok-4.7 because LLM_PROVIDER is xai, but there is no key. Set XAI_API_KEY.",
  });
});

test.each(["18.20.0", "20.18.3"])("calls Node %s broken", async (version) => {
  const message = `Node ${version} is too old. Install Node 20.19 or later.`;
  expect(await look({}, version)).toContainEqual({ type: "broken", topic: "node", message });
});

test("calls settings that are not JSON broken, and says where", async () => {
  mkdirSync(join(folder, ".agentao"));
  const file = join(folder, ".agentao", "settings.json");
  writeFileSync(file, "{\n  model\n}");
  const message = `${file} is not JSON (line 2, column 3), so it is not used.`;
  expect(await look({})).toContainEqual({ type: "broken", topic: "settings", message });
});

test("calls a home that cannot be made broken", async () => {
  writeFileSync(join(folder, "file"), "");
  const home = join(folder, "file", "home");
  expect(await look({ AGENTAO_HOME: home })).toContainEqual({
    type: "broken",
    topic: "home",
    message: expect.stringContaining(`${home} cannot be written`),
  });
});
