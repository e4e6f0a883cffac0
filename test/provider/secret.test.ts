// The key goes to the provider, and nowhere else.

import { createCatalogue } from "@agentao/agent";
import { describe, expect, test } from "vitest";
import { connectScripted } from "../agent/connect-scripted.ts";
import { errorOf } from "../agent/seen.ts";
import { connectProvider, KEY, makers, modelAt, PROTOCOLS } from "./connect-provider.ts";
import { formats, startFakeProvider } from "./fake-provider.ts";
import { ask, page, problem, say } from "./script.ts";

describe.each(PROTOCOLS)("the key for %s", (protocol) => {
  test("is in the header its provider wants, and in no address and no body", async () => {
    await using connected = await connectProvider(protocol, [[say("ok")]]);

    await connected.prompt("hi");

    const [request] = connected.provider.requests;
    expect(formats[protocol].keyOf(request?.headers ?? {})).toBe(KEY);
    expect(request?.path).not.toContain(KEY);
    expect(request?.text).not.toContain(KEY);
  });

  test("that cannot be one is -32000 and goes nowhere; the sentence names the variable", async () => {
    const apiKey = "abcdefgh12\nSECRETTAIL99";
    await using connected = await connectProvider(protocol, [], { provider: { apiKey } });

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32000, data: { kind: "auth", retryable: false } });
    expect(error.message).toContain(makers[protocol].keyVariable);
    expect(JSON.stringify(connected.agent.wire)).not.toMatch(/abcdefgh12|SECRETTAIL99/);
    expect(connected.provider.requests).toEqual([]);
  });

  test("is not sent to, and no password is told of, an address with secrets in it", async () => {
    await using provider = await startFakeProvider([[say("ok")], [problem("forbidden")], [page(404, {}, "")]]);
    const { host } = new URL(provider.url);
    const { base } = formats[protocol];
    const baseUrl = `http://bob:hunter2secret@${host}${base}?sig=hunter3secret#hunter4secret`;
    const catalogue = createCatalogue([modelAt(provider, protocol, { provider: { baseUrl } })]);
    await using agent = await connectScripted({ runtime: { catalogue } });
    const sessionId = await agent.open();

    const { text } = await agent.prompt(sessionId, "go");
    const errors = [await errorOf(agent.prompt(sessionId, "go")), await errorOf(agent.prompt(sessionId, "go"))];

    expect(text).toBe("ok");
    expect(errors[1]?.message).toContain(host);
    expect(JSON.stringify([agent.wire, errors])).not.toMatch(/hunter\dsecret/);
    expect(JSON.stringify(provider.requests)).not.toMatch(/hunter\dsecret/);
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
