// A provider that fails for a while, in each of the four wire formats: what is asked again, and what the person sees.

import { describe, expect, test } from "vitest";
import { errorOf, only } from "../agent/seen.ts";
import { connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { saidIn } from "./said.ts";
import { cut, problem, say } from "./script.ts";

const retry = { attempts: 3, baseMs: 1, maxMs: 2, budgetMs: 5_000 };
const setup = { runtime: { retry }, capabilities: { session: { notices: {} } } };

describe.each(PROTOCOLS)("%s", (protocol) => {
  test.each([
    ["a rate limit", [problem("rate-limit", { "retry-after-ms": "5" })]],
    ["an error of the server", [problem("server")]],
    ["an overloaded server", [problem("overloaded")]],
    ["a connection that is lost before the answer", [cut()]],
  ])("%s: the same request again, with a notice", async (_, failure) => {
    await using connected = await connectProvider(protocol, [failure, [say("Here.")]], setup);

    const { stopReason, text, updates } = await connected.prompt("hi");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "Here." });
    expect(only(updates, "notice")).toHaveLength(1);
    const [first, second, ...more] = connected.provider.requests;
    expect(more).toEqual([]);
    expect(second?.body).toEqual(first?.body);
  });

  test("waits as long as the provider asks for", async () => {
    const wait = { "retry-after-ms": "150" };
    await using connected = await connectProvider(protocol, [[problem("rate-limit", wait)], [say("Here.")]], setup);

    await connected.prompt("hi");

    const [first, second] = connected.provider.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(140);
  });

  test("gives up when the provider asks for more time than there is", async () => {
    const wait = { "retry-after": "3600" };
    await using connected = await connectProvider(protocol, [[problem("rate-limit", wait)]], setup);

    expect(await errorOf(connected.prompt("hi"))).toMatchObject({
      code: -32603,
      data: { kind: "rate-limit", retryable: true, retryAfterMs: 3_600_000 },
    });
  });

  test("gives up after so many attempts", async () => {
    const failures = Array.from({ length: 4 }, () => [problem("server")]);
    await using connected = await connectProvider(protocol, failures, setup);

    expect(await errorOf(connected.prompt("hi"))).toMatchObject({ code: -32603, data: { retryable: true } });
    expect(connected.provider.requests).toHaveLength(3);
  });

  test("goes on where the answer broke off: the words stay, the model is told", async () => {
    await using connected = await connectProvider(protocol, [[say("One,", " two,"), cut()], [say(" three.")]], setup);

    const { stopReason, text } = await connected.prompt("Count.");

    expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "One, two, three." });
    const [first = [], second = []] = connected.provider.requests.map(saidIn);
    const [said, aside] = second.slice(-2);
    expect(second.slice(0, -2)).toEqual(first);
    expect(JSON.stringify(said)).toContain("One, two,");
    expect(said?.role).toMatch(/assistant|model/);
    expect(JSON.stringify(aside)).toContain("broke off");
    expect(aside?.role).toBe("user");
  });
});
