// A provider's model as an embedder connects to it: by its id and a key, and by nothing else.

import { connectModel, createRuntime, type Protocol } from "@agentao/agent";
import { describe, expect, test } from "vitest";
import { KEY, makers, PROTOCOLS } from "./connect-provider.ts";
import { formats, startFakeProvider } from "./fake-provider.ts";
import { say } from "./script.ts";

describe.each(PROTOCOLS)("a model that speaks %s", (protocol) => {
  test("answers an embedder's prompt", async () => {
    await using provider = await startFakeProvider([[say("Hel", "lo.")]]);
    const model = connectModel(idOf(protocol), {
      apiKey: KEY,
      baseUrl: `${provider.url}${formats[protocol].base}/`,
      protocol,
    });
    await using runtime = createRuntime({ models: [model], system: "You greet." });
    const session = await runtime.start();

    const { outcome, text } = await session.prompt("Hi.").result;

    expect([outcome.type, text]).toEqual(["ended", "Hello."]);
    expect(provider.requests).toHaveLength(1);
  });
});

test("one without a key fails its turn, and says so", async () => {
  await using runtime = createRuntime({ models: [connectModel("anthropic/claude-sonnet-5-5")] });
  const { outcome } = await (await runtime.start()).prompt("Hi.").result;
  expect(outcome).toMatchObject({
    type: "failed",
    fault: { kind: "auth", message: "Anthropic needs a key: set apiKey." },
  });
});

test("what is known of a model is known, but for prices at another address", () => {
  const { info } = connectModel("google/gemini-3-pro", { name: "Mine" });
  expect(info).toMatchObject({ id: "gemini/gemini-3-pro", name: "Mine", prices: { input: 2, output: 12 } });
  const baseUrl = "http://localhost:1/v1";
  expect(connectModel("gemini/gemini-3-pro", { baseUrl }).info.prices).toBeUndefined();
  expect(connectModel("gemini/x", { baseUrl, prices: { input: 1, output: 2 } }).info.prices).toEqual({
    input: 1,
    output: 2,
  });
});

test.each([
  ["claude", 'A model\'s id is "provider/model", not "claude".'],
  ["/x", 'A model\'s id is "provider/model", not "/x".'],
  ["nobody/x", 'The provider "nobody" is not known: name its baseUrl.'],
])("%s is refused at once", (id, problem) => {
  expect(() => connectModel(id)).toThrow(problem);
});

function idOf(protocol: Protocol): string {
  const { id, model } = makers[protocol];
  return `${id}/${model}`;
}
