// A session with real providers: what it keeps for them, what it keeps from them, what the person chooses.

import { createCatalogue, memoryStore } from "@agentao/agent";
import { describe, expect, test } from "vitest";
import type { Protocol } from "../../packages/agent/src/provider/provider.ts";
import { connectScripted, countingIds } from "../agent/connect-scripted.ts";
import { only } from "../agent/seen.ts";
import { Connected, connectProvider, lookUpTool, makers, modelAt, PROTOCOLS } from "./connect-provider.ts";
import { type FakeProvider, type Recorded, startFakeProvider } from "./fake-provider.ts";
import { type Said, saidIn } from "./said.ts";
import { ask, type Reply, say, stall, think } from "./script.ts";

const looking: Reply = [
  think("seal", "Hm."),
  say("I look."),
  ask("call_a", "look_up", { word: "one" }, "sig"),
  ask("call_b", "look_up", { word: "two" }),
];

/** Where each format keeps how much is to be thought. */
const thoughts: Readonly<Record<Protocol, object>> = {
  chat: { reasoning_effort: "high" },
  responses: { reasoning: { effort: "high" } },
  messages: { thinking: { type: "enabled" } },
  gemini: { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } },
};

describe.each(PROTOCOLS)("%s", (protocol) => {
  test("after a load the provider gets back what it wants, as if nothing had happened", async () => {
    await using provider = await startFakeProvider([looking, [say("Done.")], [say("Sure.")]]);
    const store = memoryStore();
    const sessionId = await askOnce(provider, protocol, store);

    await using later = await connectScripted({ store, ids: countingIds("b"), runtime: runtimeAt(provider, protocol) });
    await later.client.loadSession({ sessionId, cwd: later.cwd });
    await later.prompt(sessionId, "Really?");

    const [before = [], after = []] = provider.requests.slice(1).map(withoutSystem);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 2);
  });

  test("how much is thought is what the person chose", async () => {
    await using connected = await connectProvider(protocol, [[say("ok")]], {
      info: { thoughtLevels: ["low", "high"] },
    });
    const sessionId = await connected.agent.open();

    await connected.agent.client.setConfigOption(sessionId, "thought_level", "high");
    await connected.agent.prompt(sessionId, "go");

    expect(connected.provider.requests[0]?.body).toMatchObject(thoughts[protocol]);
  });

  test("two sessions talk at once, and a cancel ends one of them", async () => {
    await using connected = await connectProvider(protocol, [[say("one"), stall()], [say("two")]]);
    const { agent, provider } = connected;
    const [first, second] = [await agent.open(), await agent.open()];

    const stalled = agent.prompt(first, "go");
    await agent.until(() => only(agent.heardOf(first), "agent_message_chunk").length > 0);
    const answered = await agent.prompt(second, "go");
    void agent.client.cancel(first);

    expect(answered).toMatchObject({ stopReason: "end_turn", text: "two" });
    expect(await stalled).toMatchObject({ stopReason: "cancelled", text: "one" });
    await provider.until(() => provider.requests[0]?.leftAt !== undefined);
    expect(provider.requests[1]?.leftAt).toBeUndefined();
  });
});

const switches = PROTOCOLS.flatMap((from) => PROTOCOLS.filter((to) => to !== from).map((to) => [from, to] as const));

test.each(switches)("from %s to %s: words and calls go along, seals and thoughts do not", async (from, to) => {
  await using provider = await startFakeProvider([looking, [say("Done.")], [say("Sure.")]]);
  const catalogue = createCatalogue([modelAt(provider, from), modelAt(provider, to)]);
  const agent = await connectScripted({ runtime: { catalogue, tools: [lookUpTool()] } });
  await using connected = new Connected(agent, provider);
  const sessionId = await connected.agent.open();
  await agent.prompt(sessionId, "What are these?");

  await agent.client.setConfigOption(sessionId, "model", `${makers[to].id}/${makers[to].model}`);
  const { text } = await agent.prompt(sessionId, "Really?");

  expect(text).toBe("Sure.");
  const sent = provider.requests[2]?.text ?? "";
  for (const kept of ["I look.", "one is a word", "two is a word", "Done.", "Really?"]) expect(sent).toContain(kept);
  for (const own of ['"seal"', '"sig"', "Hm.", "rs_0"]) expect(sent).not.toContain(own);
});

/** One turn of a process that ends. */
async function askOnce(provider: FakeProvider, protocol: Protocol, store: ReturnType<typeof memoryStore>) {
  await using agent = await connectScripted({ store, runtime: runtimeAt(provider, protocol) });
  const sessionId = await agent.open();
  await agent.prompt(sessionId, "What are these?");
  return sessionId;
}

function runtimeAt(provider: FakeProvider, protocol: Protocol) {
  return { catalogue: createCatalogue([modelAt(provider, protocol)]), tools: [lookUpTool()] };
}

/** It names the folder, which is another one now. */
function withoutSystem(request: Recorded): readonly Said[] {
  return saidIn(request).filter(({ role }) => role !== "system" && role !== "developer");
}
