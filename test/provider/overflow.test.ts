// A conversation that a provider finds too long: it is summed up, and the prompt is answered after all.

import { describe, expect, test } from "vitest";
import { connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { problem, say, spend } from "./script.ts";

describe.each(PROTOCOLS)("%s", (protocol) => {
  test("what does not fit is summed up, and asked again without what was summed up", async () => {
    const long = "A long story. ".repeat(4_000);
    await using connected = await connectProvider(protocol, [
      [say(long), spend(3_000, 14_000)],
      [say("Sure."), spend(17_000, 5)],
      [problem("overflow")],
      [say("They spoke of a long story.")],
      [say("ok")],
    ]);
    const { agent, provider } = connected;
    const sessionId = await agent.open();
    await agent.prompt(sessionId, "Tell me.");
    await agent.prompt(sessionId, "Really?");

    const { stopReason, text } = await agent.prompt(sessionId, "And then?");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "ok" });
    const [, , refused, , answered] = provider.requests;
    expect(refused?.text).toContain(long);
    expect(answered?.text).not.toContain("A long story. A long story.");
    expect(answered?.text).toContain("They spoke of a long story.");
    expect(answered?.text).toContain("And then?");
  });

  test("what does not fit and cannot be summed up is told as what it is", async () => {
    await using connected = await connectProvider(protocol, [[problem("overflow")], [problem("overflow")]]);

    await expect(connected.prompt("go")).rejects.toMatchObject({ code: -32603, data: { kind: "overflow" } });
  });
});
