import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownProviders } from "@agentao/agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { models } from "./models.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-models-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const io = scriptedIo({ env: { AGENTAO_HOME: join(folder, "home"), ...env }, cwd: folder });
  expect(await models.run(args, io)).toBe(0);
  return io.said;
}

test("shows what can be chosen, what it reads and costs, and the default with its reason", async () => {
  const said = await run([], { ANTHROPIC_API_KEY: "k" });
  expect(said).toMatch(/^Default: anthropic\/claude-sonnet-5-5 because ANTHROPIC_API_KEY is set\.\n\n {2}model/);
  expect(said).toMatch(/^\* anthropic\/claude-sonnet-5-5 +1M +\$2 \$10 +low medium \[high\] xhigh max$/m);
  expect(said).toMatch(/^ {2}scripted\/demo /m);
  expect(said).not.toContain("openai/");
});

test("--ids is for completion, and leaves out what a shell would run", async () => {
  mkdirSync(join(folder, "home"));
  const acme = { baseUrl: "http://127.0.0.1:9/v1", models: ["fine-1:8b", "$(touch hacked)"] };
  writeFileSync(join(folder, "home/settings.json"), JSON.stringify({ providers: { acme } }));
  const ids = (await run(["--ids"])).trim().split("\n");
  expect(ids).toContain("acme/fine-1:8b");
  expect(ids.filter((id) => /[^\w./:-]/.test(id))).toEqual([]);
});

test("shows the demo where there is nothing else", async () => {
  const report = JSON.parse(await run(["--json"]));
  expect(report).toMatchObject({ default: "scripted/demo", why: expect.stringContaining("there is no key") });
  expect(report.models.map(({ id }: { id: string }) => id)).toEqual(["scripted/demo"]);
});

test("--all shows every known model, and what to set for it", async () => {
  const { models: all } = JSON.parse(await run(["--all", "--json"], { OPENAI_API_KEY: "k" }));
  const known = knownProviders.flatMap(({ id, models: names }) => names.map((name) => `${id}/${name}`));
  expect(all.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(known));
  const one = (id: string) => all.find((model: { id: string }) => model.id === id);
  expect(one("openai/gpt-6.1-sol")).toMatchObject({ isDefault: true, usable: true, windowTokens: 1_050_000 });
  expect(one("xai/grok-4.7")).toMatchObject({ isDefault: false, usable: false, keyVariable: "XAI_API_KEY" });
  expect(await run(["--all"])).toMatch(/^ {2}xai\/grok-4\.7 .* set XAI_API_KEY$/m);
});

test("says so where the chosen provider has no key", async () => {
  const report = JSON.parse(await run(["--json"], { LLM_PROVIDER: "xai" }));
  expect(report.models[0]).toMatchObject({
    id: "xai/grok-4.7",
    isDefault: true,
    usable: false,
    keyVariable: "XAI_API_KEY",
  });
});
