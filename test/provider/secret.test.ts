// The key goes to the provider, and nowhere else.

import { describe, expect, test } from "vitest";
import { errorOf } from "../agent/seen.ts";
import { connectProvider, KEY, PROTOCOLS } from "./connect-provider.ts";
import { formats } from "./fake-provider.ts";
import { ask, problem, say } from "./script.ts";

describe.each(PROTOCOLS)("the key for %s", (protocol) => {
  test("is in the header its provider wants, and in no address and no body", async () => {
    await using connected = await connectProvider(protocol, [[say("ok")]]);

    await connected.prompt("hi");

    const [request] = connected.provider.requests;
    expect(formats[protocol].keyOf(request?.headers ?? {})).toBe(KEY);
    expect(request?.path).not.toContain(KEY);
    expect(request?.text).not.toContain(KEY);
  });

  test("is not on the wire to the client, nor in the journal, whatever the provider says", async () => {
    await using connected = await connectProvider(protocol, [
      [ask("a", "look_up", { word: "x" }, "s")],
      [say("ok")],
      [problem("key")],
      [say("half"), problem("key")],
    ]);
    const { agent } = connected;
    const sessionId = await agent.open();

    await agent.prompt(sessionId, "go");
    await errorOf(agent.prompt(sessionId, "go"));
    await errorOf(agent.prompt(sessionId, "go"));

    expect(connected.provider.requests).toHaveLength(4);
    expect(JSON.stringify(agent.wire)).not.toContain(KEY);
    await agent.client.closeSession(sessionId);
    const stored = await agent.store.open(sessionId as Parameters<typeof agent.store.open>[0]);
    if (stored.type !== "opened") throw new Error(stored.type);
    for await (const entries of stored.entries()) expect(JSON.stringify(entries)).not.toContain(KEY);
    stored.journal.close();
  });
});
