// What a client sees of an answer, in each of the four wire formats.

import type { SessionUpdate } from "@agentao/acp";
import { describe, expect, test } from "vitest";
import { only } from "../agent/seen.ts";
import { connectProvider, PROTOCOLS, WINDOW } from "./connect-provider.ts";
import { ask, keepAlive, pause, say, spend, stall, think } from "./script.ts";

describe.each(PROTOCOLS)("an answer by %s", (protocol) => {
  test("is told whole, and keep-alives are not", async () => {
    await using connected = await connectProvider(protocol, [[keepAlive(), say("Hel", "lo"), keepAlive(), say(".")]]);

    const { stopReason, updates } = await connected.prompt("hi");

    expect(stopReason).toBe("end_turn");
    expect(spokenIn(updates)).toEqual([["agent_message_chunk", "Hello."]]);
    expect(connected.provider.requests).toHaveLength(1);
  });

  test("shows its first words while the rest is not there", async () => {
    await using connected = await connectProvider(protocol, [[say("Hel"), stall()]]);
    const sessionId = await connected.agent.open();

    const turn = connected.agent.prompt(sessionId, "hi");
    const heard = () => only(connected.agent.heardOf(sessionId), "agent_message_chunk");
    await connected.agent.until(() => heard().length > 0);
    void connected.agent.client.cancel(sessionId);

    expect(heard().map(({ content }) => content)).toEqual([{ type: "text", text: "Hel" }]);
    expect(await turn).toMatchObject({ stopReason: "cancelled", text: "Hel" });
  });

  test("shows its first thoughts while the rest is not there", async () => {
    await using connected = await connectProvider(protocol, [[think("seal", "Let me"), stall()]]);
    const sessionId = await connected.agent.open();

    const turn = connected.agent.prompt(sessionId, "hi");
    await connected.agent.until(() => only(connected.agent.heardOf(sessionId), "agent_thought_chunk").length > 0);
    void connected.agent.client.cancel(sessionId);

    expect(spokenIn((await turn).updates)).toEqual([["agent_thought_chunk", "Let me"]]);
  });

  test("shows its reasoning as thoughts before its words", async () => {
    await using connected = await connectProvider(protocol, [[think("seal", "Let me", " see."), say("Yes.")]]);

    const { updates } = await connected.prompt("hi");

    expect(spokenIn(updates)).toEqual([
      ["agent_thought_chunk", "Let me see."],
      ["agent_message_chunk", "Yes."],
    ]);
  });

  test("asks for two calls whose arguments came in pieces; both are made", async () => {
    await using connected = await connectProvider(protocol, [
      [
        say("I look."),
        ask("call_a", "look_up", { word: "one\nand more" }, "s"),
        ask("call_b", "look_up", { word: "two" }),
      ],
      [say("Done.")],
    ]);

    const { stopReason, transcript } = await connected.prompt("go");

    expect(stopReason).toBe("end_turn");
    const calls = transcript.items.filter((item) => item.type === "tool-call");
    expect(calls.map(({ toolCallId, rawInput, status }) => ({ toolCallId, rawInput, status }))).toEqual([
      { toolCallId: "call_a", rawInput: { word: "one\nand more" }, status: "completed" },
      { toolCallId: "call_b", rawInput: { word: "two" }, status: "completed" },
    ]);
    expect(connected.provider.requests).toHaveLength(2);
  });

  test("tells its tokens and its cost, with what was cached at its own price", async () => {
    await using connected = await connectProvider(protocol, [
      [say("ok"), spend(1_000, 50, { cachedTokens: 400, reasoningTokens: 20 })],
    ]);

    const { updates } = await connected.prompt("hi");

    const [usage, ...more] = only(updates, "usage_update");
    expect(more).toEqual([]);
    expect(usage).toMatchObject({ used: 1_050, size: WINDOW, cost: { currency: "USD" } });
    // 600 at 2 dollars a million, 400 at 0.2, 50 at 10.
    expect(usage?.cost?.amount).toBeCloseTo(0.001_78, 9);
  });

  test("may take its time between two words", async () => {
    await using connected = await connectProvider(protocol, [[say("a"), pause(40), keepAlive(), say("b")]]);

    expect(await connected.prompt("hi")).toMatchObject({ stopReason: "end_turn", text: "ab" });
  });
});

/** Who says what, in order; how many chunks that took is nobody's business. */
function spokenIn(updates: readonly SessionUpdate[]): (readonly [string, string])[] {
  const spoken: [string, string][] = [];
  for (const { sessionUpdate, content } of only(updates, "agent_thought_chunk", "agent_message_chunk")) {
    const text = content.type === "text" ? content.text : "";
    const last = spoken.at(-1);
    if (last?.[0] === sessionUpdate) last[1] += text;
    else spoken.push([sessionUpdate, text]);
  }
  return spoken;
}
