// Calls that cannot be made: the model is told why, and goes on.

import { describe, expect, test } from "vitest";
import { type Connected, connectProvider, PROTOCOLS } from "./connect-provider.ts";
import { inputsIn, lastSaid } from "./said.ts";
import { ask, say } from "./script.ts";

describe.each(PROTOCOLS)("by %s the model is told of", (protocol) => {
  test("a tool that does not exist", async () => {
    await using connected = await connectProvider(protocol, [[ask("a", "fly", { to: "x" }, "s")], [say("ok")]]);

    expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
    expect(told(connected)).toMatch(/fly/);
  });

  test("arguments that do not fit the tool", async () => {
    await using connected = await connectProvider(protocol, [[ask("a", "look_up", { word: 7 }, "s")], [say("ok")]]);

    expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
    expect(told(connected)).toContain("word must be a string");
  });
});

// Gemini's arguments are an object of the answer itself: where they are broken, the answer is.
describe.each(PROTOCOLS.filter((protocol) => protocol !== "gemini"))("by %s the model is told of", (protocol) => {
  test.each([
    ["arguments that break off", '{"word": "on'],
    ["arguments that are no JSON", "word=one"],
    ["arguments that are no object", '"one"'],
  ])("%s; the next request is one that the provider can read", async (_, input) => {
    await using connected = await connectProvider(protocol, [[ask("a", "look_up", input)], [say("ok")]]);

    expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
    expect(told(connected)).toMatch(/JSON|object/);
    expect(inputsIn(connected.provider.requests[1])).toEqual([expect.any(Object)]);
  });
});

/** The last message of the second request, as text. */
function told({ provider }: Connected): string {
  return JSON.stringify(lastSaid(provider.requests[1]));
}
