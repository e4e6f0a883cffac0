// A run with a provider that is really asked: over HTTP, on the loopback.

import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { startFakeProvider } from "../provider/fake-provider.ts";
import { problem, say } from "../provider/script.ts";
import { headless, resultOf } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const acme = (url: string) => ({
  LLM_PROVIDER: "ACME",
  ACME_API_KEY: "secret-key",
  ACME_BASE_URL: `${url}/v1`,
  ACME_MODEL: "road-runner",
});

test("the answer comes, and nothing keeps the program afterwards", async () => {
  await using provider = await startFakeProvider([[say("Beep.")]]);
  const run = await headless(["run", "--format", "json", "go"], { env: acme(provider.url) });
  expect(run.code).toBe(0);
  expect(resultOf(run)).toMatchObject({ status: "ok", final_text: "Beep.", model: "acme/road-runner" });
});

test("--base-url is where the provider is", async () => {
  await using provider = await startFakeProvider([[say("Beep.")]]);
  const env = { ...acme("http://127.0.0.1:9"), ACME_API_KEY: "k" };
  const run = await headless(["run", "--base-url", `${provider.url}/v1`, "go"], { env });
  expect(run).toMatchObject({ code: 0, stdout: "Beep.\n" });
});

test("a key that is refused is told by the name of its variable, never by itself", async () => {
  await using provider = await startFakeProvider([[problem("key")]]);
  const run = await headless(["run", "go"], { env: acme(provider.url) });
  expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("ACME_API_KEY") });
  expect(run.stderr).not.toContain("secret-key");
});
