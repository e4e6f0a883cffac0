// Connections as they are: torn bytes, silence, pages of somebody in between, nobody at all.

import { describe, expect, test } from "vitest";
import { errorOf, only } from "../agent/seen.ts";
import { connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { startFakeProvider } from "./fake-provider.ts";
import { ask, cut, end, page, say, stall, think } from "./script.ts";

describe.each(PROTOCOLS)("%s", (protocol) => {
  test("bytes that are torn anywhere make the same words", async () => {
    const words = "Grüße, 🎉 und 日本語";
    await using connected = await connectProvider(
      protocol,
      [[think("seal", "Ähm"), say(words), ask("a", "look_up", { word: "ß🎉" }, "s")], [say("ok")]],
      { pieceBytes: 5 },
    );

    const { stopReason, text, transcript } = await connected.prompt("go");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: `${words}ok` });
    const [call] = transcript.items.filter((item) => item.type === "tool-call");
    expect(call?.rawInput).toEqual({ word: "ß🎉" });
  });

  test("silence before the answer is a stall, and the connection is closed", async () => {
    await using connected = await connectProvider(protocol, [[stall()]], { http: { firstByteMs: 60, idleMs: 60 } });

    const error = await errorOf(connected.prompt("hi"));
    await connected.provider.until(() => connected.provider.requests[0]?.leftAt !== undefined);

    expect(error).toMatchObject({ code: -32603, data: { kind: "stalled", retryable: true } });
  });

  test("silence in the middle of an answer is a stall; what was said stays", async () => {
    await using connected = await connectProvider(protocol, [[say("As I was"), stall()]], { http: { idleMs: 60 } });
    const sessionId = await connected.agent.open();

    const error = await errorOf(connected.agent.prompt(sessionId, "hi"));

    expect(error).toMatchObject({ code: -32603, data: { kind: "stalled", retryable: true } });
    const said = only(connected.agent.heardOf(sessionId), "agent_message_chunk").map(({ content }) => content);
    expect(said[0]).toEqual({ type: "text", text: "As I was" });
  });

  test("nobody at the address is an error that names it", async () => {
    const gone = await startFakeProvider([]);
    const { port } = new URL(gone.url);
    await gone[Symbol.asyncDispose]();
    await using connected = await connectProvider(protocol, [], {
      provider: { baseUrl: `http://127.0.0.1:${port}/v1` },
    });

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32603, data: { kind: "network", retryable: true } });
    expect(error.message).toContain(`127.0.0.1:${port}`);
  });

  test("a page of a gateway is an error that may pass, told in a sentence", async () => {
    const html = `<html><head><title>502 Bad Gateway</title></head><body>${"<p>nginx</p>".repeat(5_000)}</body></html>`;
    await using connected = await connectProvider(protocol, [[page(502, { "content-type": "text/html" }, html)]]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32603, data: { retryable: true } });
    expect(error.message.length).toBeLessThan(600);
  });

  test("a page that claims to be an answer is an error, no silent end_turn", async () => {
    const html = "<html><body>Please log in to the network.</body></html>";
    await using connected = await connectProvider(protocol, [[page(200, { "content-type": "text/html" }, html)]]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32603, data: { kind: "bad-request", retryable: false } });
    expect(error.message).toMatch(/answered with a web page.*check the address \(127\.0\.0\.1:\d+\)/);
    expect(connected.provider.requests).toHaveLength(1);
  });

  test("an answer that is over counts, though the connection breaks behind it", async () => {
    const whole = ask("a", "look_up", { word: "x" }, "s");
    await using connected = await connectProvider(protocol, [
      [whole, end("stop"), cut()],
      [say("whole"), end("stop"), cut()],
    ]);

    const { stopReason, text } = await connected.prompt("hi");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "whole" });
    expect(connected.provider.requests).toHaveLength(2);
  });

  test("an answer that is over counts, though the connection stays open behind it; then it is closed", async () => {
    await using connected = await connectProvider(protocol, [[say("whole"), end("stop"), stall()]], {
      http: { settleMs: 50 },
    });

    const { stopReason, text } = await connected.prompt("hi");
    await connected.provider.until(() => connected.provider.requests[0]?.leftAt !== undefined);

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "whole" });
    expect(connected.provider.requests).toHaveLength(1);
  });

  test("an answer without an end of its line is given up, and not asked for again", async () => {
    const endless = "data: ".padEnd(33 * 1024 * 1024, "x");
    await using connected = await connectProvider(protocol, [
      [page(200, { "content-type": "text/event-stream" }, endless)],
    ]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32603, data: { kind: "model", retryable: false } });
    expect(error.message).toContain("cannot be understood");
  });

  test("a call whose answer broke off is not made, and asked for again", async () => {
    const retry = { attempts: 2, baseMs: 1, maxMs: 1, budgetMs: 1_000 };
    const whole = ask("b", "look_up", { word: "x" }, "s");
    await using connected = await connectProvider(
      protocol,
      [[ask("a", "look_up", { word: "x" }, "s"), cut()], [whole], [say("ok")]],
      { runtime: { retry } },
    );

    const { stopReason, text } = await connected.prompt("go");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "ok" });
    expect(connected.provider.requests).toHaveLength(3);
    const results = connected.provider.requests[2]?.text.match(/x is a word/g);
    expect(results).toHaveLength(1);
  });

  test("neither key nor prompt follows a redirection to somebody else", async () => {
    await using other = await startFakeProvider([[say("caught")]]);
    const there = { location: `${other.url}/elsewhere` };
    await using connected = await connectProvider(protocol, [[page(307, there, "")]]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32603, data: { retryable: false } });
    expect(error.message).toContain(new URL(other.url).host);
    expect([...other.requests, ...other.others]).toEqual([]);
  });
});
