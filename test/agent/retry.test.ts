// A model that fails for a while: what is tried again, what is kept, what the person sees of it.

import { describe, expect, test } from "vitest";
import { cut, fail, reasoning, stall, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";

const retry = { attempts: 3, baseMs: 1, maxMs: 2, budgetMs: 1_000 };
const capabilities = { session: { notices: {} } };

function noticesIn(updates: readonly { readonly sessionUpdate: string }[]): string[] {
  return updates.flatMap((update) =>
    "title" in update && update.sessionUpdate === "notice" ? [String(update.title)] : [],
  );
}

describe("a model that fails", () => {
  test("is asked again, with a notice each time", async () => {
    await using agent = await connectScripted({
      script: [
        [fail("overloaded", "The provider is overloaded.")],
        [fail("network", "No connection.")],
        [text("Here.")],
      ],
      runtime: { retry },
      capabilities,
    });
    const turn = await agent.prompt(await agent.open(), "Hello?");
    expect(turn.stopReason).toBe("end_turn");
    expect(turn.text).toBe("Here.");
    expect(noticesIn(turn.updates)).toEqual([
      "The provider is overloaded. Trying again in 1 s (attempt 2 of 3).",
      "No connection. Trying again in 1 s (attempt 3 of 3).",
    ]);
    expect(agent.model.asked.map(({ messages }) => messages)).toEqual(Array(3).fill(agent.model.asked[0]?.messages));
  });

  test("fails the turn when it goes on failing", async () => {
    await using agent = await connectScripted({
      script: [1, 2, 3, 4].map(() => [fail("overloaded", "The provider is overloaded.")]),
      runtime: { retry },
    });
    await expect(agent.prompt(await agent.open(), "Hello?")).rejects.toMatchObject({
      message: "The provider is overloaded.",
      data: { kind: "overloaded", retryable: true },
    });
    expect(agent.model.asked).toHaveLength(3);
  });

  test("is not asked again for what cannot succeed", async () => {
    await using agent = await connectScripted({ script: [[fail("auth", "Set OPENAI_API_KEY.")]], runtime: { retry } });
    await expect(agent.prompt(await agent.open(), "Hello?")).rejects.toMatchObject({ code: -32000 });
    expect(agent.model.asked).toHaveLength(1);
  });

  test("goes on where its answer broke off", async () => {
    await using agent = await connectScripted({
      script: [[text("One, two,"), cut()], [text(" three.")], [text("Yes.")]],
      runtime: { retry },
    });
    const session = await agent.open();
    const turn = await agent.prompt(session, "Count.");
    expect(turn.stopReason).toBe("end_turn");
    expect(turn.text).toBe("One, two, three.");
    const again = agent.model.asked[1]?.messages ?? [];
    expect(again.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(again[1]?.parts).toEqual([{ type: "text", text: "One, two," }]);
    expect(JSON.stringify(again[2]?.parts)).toContain("broke off");
    // Later turns see the same story.
    await agent.prompt(session, "Really?");
    expect(agent.model.asked[2]?.messages.slice(0, 3)).toEqual(again);
  });

  test("may think again when only its thoughts were heard", async () => {
    await using agent = await connectScripted({
      script: [[reasoning("Hm."), fail("network", "Lost.")], [text("Here.")]],
      runtime: { retry },
    });
    const turn = await agent.prompt(await agent.open(), "Hello?");
    expect(turn.text).toBe("Here.");
    expect(agent.model.asked[1]?.messages).toEqual(agent.model.asked[0]?.messages);
  });

  test("can be cancelled while it is waited for", async () => {
    await using agent = await connectScripted({
      script: [[fail("overloaded", "Busy.")], [stall()]],
      runtime: { retry: { attempts: 3, baseMs: 60_000, maxMs: 60_000, budgetMs: 600_000 } },
      capabilities,
    });
    const session = await agent.open();
    const turn = agent.prompt(session, "Hello?");
    await agent.until(() => noticesIn(agent.heardOf(session)).length > 0);
    agent.client.cancel(session);
    expect((await turn).stopReason).toBe("cancelled");
    expect(agent.model.asked).toHaveLength(1);
  });
});
