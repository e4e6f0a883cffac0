// How answers end that do not end well, in each of the four wire formats.

import { describe, expect, test } from "vitest";
import { errorOf } from "../agent/seen.ts";
import { connectProvider, KEY, makers, PROTOCOLS } from "./connect-provider.ts";
import { ask, end, garbage, problem, say } from "./script.ts";

describe.each(PROTOCOLS)("%s", (protocol) => {
  test.each([["refusal"], ["filter"]] as const)("a %s is the stop reason refusal", async (reason) => {
    await using connected = await connectProvider(protocol, [[end(reason)]]);

    expect(await connected.prompt("hi")).toMatchObject({ stopReason: "refusal" });
  });

  test("an answer that is too long is the stop reason max_tokens, and its words stay", async () => {
    await using connected = await connectProvider(protocol, [[say("As I was say"), end("length")]]);

    expect(await connected.prompt("hi")).toMatchObject({ stopReason: "max_tokens", text: "As I was say" });
  });

  test("calls of an answer that was too long are not made", async () => {
    await using connected = await connectProvider(protocol, [[ask("a", "look_up", { word: "x" }, "s"), end("length")]]);

    expect(await connected.prompt("hi")).toMatchObject({ stopReason: "max_tokens" });
    expect(connected.provider.requests).toHaveLength(1);
  });

  test("a key that is refused is -32000, and the sentence names the variable, not the key", async () => {
    await using connected = await connectProvider(protocol, [[problem("key")]]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32000, data: { kind: "auth", retryable: false } });
    expect(error.message).toContain(makers[protocol].keyVariable);
    expect(error.message).not.toContain(KEY);
  });

  test("a key that is missing is -32000 and names the variable; nobody is asked", async () => {
    await using connected = await connectProvider(protocol, [], { provider: { apiKey: undefined } });

    const error = await errorOf(connected.prompt("hi"));

    expect(error).toMatchObject({ code: -32000, data: { kind: "auth", retryable: false } });
    expect(error.message).toContain(makers[protocol].keyVariable);
    expect(connected.provider.requests).toEqual([]);
  });

  test.each([
    ["forbidden", { code: -32000, data: { kind: "auth", retryable: false } }],
    ["rate-limit", { code: -32603, data: { kind: "rate-limit", retryable: true } }],
    ["server", { code: -32603, data: { retryable: true } }],
    ["overloaded", { code: -32603, data: { kind: "overloaded", retryable: true } }],
    ["overflow", { code: -32603, data: { kind: "overflow", retryable: false } }],
  ] as const)("%s is told as what it is", async (kind, error) => {
    await using connected = await connectProvider(protocol, [[problem(kind)]]);

    expect(await errorOf(connected.prompt("hi"))).toMatchObject(error);
    expect(connected.provider.requests).toHaveLength(1);
  });

  test("what goes wrong after the first words is an error, and the words stay", async () => {
    await using connected = await connectProvider(protocol, [[say("As I was"), problem("overloaded")], [say("ok")]]);
    const sessionId = await connected.agent.open();

    const error = await errorOf(connected.agent.prompt(sessionId, "hi"));
    const next = await connected.agent.prompt(sessionId, "again");

    expect(error).toMatchObject({ code: -32603, data: { retryable: true } });
    expect(next).toMatchObject({ stopReason: "end_turn", text: "ok" });
    expect(connected.provider.requests[1]?.text).toContain("As I was");
  });

  test("a frame that is no JSON is an error of the model's side, not of ours", async () => {
    await using connected = await connectProvider(protocol, [[say("As I was"), garbage()]]);

    const error = await errorOf(connected.prompt("hi"));

    expect(error.data).not.toMatchObject({ kind: "internal" });
    expect(error.data).not.toMatchObject({ kind: "auth" });
  });

  test("an answer without words is an error, no silent end_turn", async () => {
    await using connected = await connectProvider(protocol, [[]]);

    expect(await errorOf(connected.prompt("hi"))).toMatchObject({ code: -32603, data: { kind: "model" } });
  });
});
