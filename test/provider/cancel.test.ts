// Cancel ends the request at the provider too: the connection is closed, not read to its end.

import { describe, expect, test } from "vitest";
import { only } from "../agent/seen.ts";
import { type Connected, connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { say, stall } from "./script.ts";

/** Cancels when the condition holds, and answers how the turn ended, how long that took, and the provider's last sight. */
async function cancelWhen({ agent, provider }: Connected, condition: (sessionId: string) => Promise<void>) {
  const sessionId = await agent.open();
  const turn = agent.prompt(sessionId, "go");
  await condition(sessionId);
  const began = performance.now();
  void agent.client.cancel(sessionId);
  const { stopReason, text } = await turn;
  const tookMs = performance.now() - began;
  await provider.until(() => provider.requests[0]?.leftAt !== undefined);
  const leftMs = (provider.requests[0]?.leftAt ?? Number.NaN) - began;
  return { sessionId, stopReason, text, tookMs, leftMs };
}

describe.each(PROTOCOLS)("a cancel by %s", (protocol) => {
  test("of an answer that stalls closes the connection at once; the next prompt is answered", async () => {
    await using connected = await connectProvider(protocol, [[say("half an ans"), stall()], [say("whole")]]);
    const { agent } = connected;

    const seen = await cancelWhen(connected, (sessionId) =>
      agent.until(() => only(agent.heardOf(sessionId), "agent_message_chunk").length > 0),
    );

    expect(seen).toMatchObject({ stopReason: "cancelled", text: "half an ans" });
    expect(seen.tookMs).toBeLessThan(1_000);
    expect(seen.leftMs).toBeLessThan(1_000);
    expect(await agent.prompt(seen.sessionId, "again")).toMatchObject({ stopReason: "end_turn", text: "whole" });
  });

  test("of a request that is not answered closes the connection at once", async () => {
    await using connected = await connectProvider(protocol, [[stall()]]);
    const { provider } = connected;

    const seen = await cancelWhen(connected, () => provider.until(() => provider.requests.length === 1));

    expect(seen).toMatchObject({ stopReason: "cancelled", text: "" });
    expect(seen.tookMs).toBeLessThan(1_000);
    expect(seen.leftMs).toBeLessThan(1_000);
  });
});
