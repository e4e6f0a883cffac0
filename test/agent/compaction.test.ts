// Conversations that outgrow the model's window: what is summed up, what the client hears of it, and what a load restores.

import { memoryStore, scriptedModel } from "@agentao/agent";
import { expect, test } from "vitest";
import { call, fail, text, when } from "../../packages/agent/src/model/script.ts";
import { connectScripted, countingIds, NOON, type ScriptedSetup } from "./connect-scripted.ts";
import { messagesOf, only } from "./seen.ts";

const SUM_UP = when({ lastUserText: /^Sum up this session\./ }, text("They greeted each other. Next: the weather."));
/** A window in which two long answers do not fit. */
const small = { info: { windowTokens: 20_000 } };
const long = text("word ".repeat(6_000));
const capabilities = { session: { compaction: {}, notices: {} } };

function connect(setup: ScriptedSetup) {
  return connectScripted({ scripted: small, capabilities, ...setup });
}

test("what does not fit any more is summed up before the next request, and told as a compaction", async () => {
  await using agent = await connect({ script: [SUM_UP, [long], [long], [text("Sunny.")]] });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  await agent.prompt(session, "And again.");
  const turn = await agent.prompt(session, "How is the weather?");

  expect(turn.text).toBe("Sunny.");
  const [started, ended] = only(turn.updates, "compaction_update");
  expect(started).toEqual({
    sessionUpdate: "compaction_update",
    compactionId: expect.any(String),
    status: "in_progress",
  });
  expect(ended).toMatchObject({ compactionId: started?.compactionId, status: "completed" });
  expect(JSON.stringify(ended?.summary)).toContain("They greeted each other.");

  const last = agent.model.asked.at(-1)?.messages ?? [];
  expect(JSON.stringify(last[0])).toContain("They greeted each other.");
  expect(JSON.stringify(last.at(-1))).toContain("How is the weather?");
  expect(JSON.stringify(last)).not.toContain("Hello.");
  const used = only(turn.updates, "usage_update").map((update) => update.used);
  expect(Math.max(...used.slice(1))).toBeLessThan(20_000);
});

test("a client without compactions hears it as a notice", async () => {
  await using agent = await connect({
    script: [SUM_UP, [long], [long], [text("Sunny.")]],
    capabilities: { session: { notices: {} } },
  });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  await agent.prompt(session, "And again.");
  const turn = await agent.prompt(session, "How is the weather?");
  expect(only(turn.updates, "notice").map(({ title }) => title)).toEqual([
    "Summing up the conversation so far, to make room for what follows…",
    "The conversation so far was summed up; the model goes on from the summary.",
  ]);
});

test("a load restores the same context, and shows the whole conversation", async () => {
  const store = memoryStore({ now: () => NOON });
  const script = [SUM_UP, [long], [long], [text("Sunny.")]];
  let session: string;
  let before: unknown;
  {
    await using agent = await connect({ script, store });
    session = await agent.open();
    await agent.prompt(session, "Hello.");
    await agent.prompt(session, "And again.");
    await agent.prompt(session, "How is the weather?");
    before = messagesOf(agent.model.asked.at(-1));
    await agent.client.closeSession(session);
  }
  await using agent = await connect({ script: [[text("Still sunny.")]], store, ids: countingIds("b") });
  await agent.client.loadSession({ sessionId: session, cwd: agent.cwd });
  const shown = JSON.stringify(agent.heardOf(session));
  expect(shown).toContain("Hello.");
  expect(only(agent.heardOf(session), "compaction_update")).toHaveLength(1);
  await agent.prompt(session, "And now?");
  expect(messagesOf(agent.model.asked[0]).slice(0, (before as unknown[]).length)).toEqual(before);
});

test("a summary that fails loses nothing", async () => {
  await using agent = await connect({
    script: [
      when({ lastUserText: /^Sum up this session\./ }, fail("bad-request", "No summaries today.")),
      [long],
      [long],
      [text("Sunny.")],
    ],
  });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  await agent.prompt(session, "And again.");
  const turn = await agent.prompt(session, "How is the weather?");
  expect(turn.text).toBe("Sunny.");
  expect(only(turn.updates, "compaction_update").at(-1)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("No summaries today."),
  });
  expect(JSON.stringify(agent.model.asked.at(-1)?.messages)).toContain("Hello.");
});

test("a provider that finds the context too long gets a shorter one, once", async () => {
  await using agent = await connect({
    script: [SUM_UP, [long], [text("short")], [fail("overflow", "The context is too long.")], [text("Sunny.")]],
  });
  const session = await agent.open();
  for (const prompt of ["Hello.", "And again."]) await agent.prompt(session, prompt);
  const turn = await agent.prompt(session, "How is the weather?");
  expect(turn.text).toBe("Sunny.");
  expect(only(turn.updates, "compaction_update").at(-1)).toMatchObject({ status: "completed" });
});

test("a context that stays too long fails the turn", async () => {
  const tooLong = fail("overflow", "The context is too long.");
  await using agent = await connect({ script: [SUM_UP, [long], [tooLong], [tooLong], [tooLong]] });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  await expect(agent.prompt(session, "Again.")).rejects.toMatchObject({ data: { kind: "overflow" } });
});

test("/compact sums up by hand, with what to keep in mind", async () => {
  await using agent = await connect({ script: [SUM_UP, [long], [text("Hi again.")]] });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  const turn = await agent.prompt(session, "/compact the weather");
  expect(turn.text).toMatch(/^The conversation was summed up: \d+ tokens became \d+\.$/);
  expect(JSON.stringify(agent.model.asked.at(-1)?.messages.at(-1))).toContain("the weather");
  await agent.prompt(session, "Next?");
  expect(JSON.stringify(agent.model.asked.at(-1)?.messages[0])).toContain("They greeted each other.");
});

test("/compact of nothing says so", async () => {
  await using agent = await connect({ script: [SUM_UP] });
  const turn = await agent.prompt(await agent.open(), "/compact");
  expect(turn.text).toBe("There is nothing yet that a summary would make much shorter.");
});

test("long results of old calls are trimmed first", async () => {
  await using agent = await connect({
    script: [...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => [call("read_file", { file_path: `f${n}.txt` })]), [text("Done.")]],
  });
  for (let n = 1; n <= 8; n++) await agent.put(`f${n}.txt`, `${"line of text\n".repeat(270)}`);
  const turn = await agent.prompt(await agent.open(), "Read them all.");
  expect(turn.text).toBe("Done.");
  expect(only(turn.updates, "compaction_update")).toEqual([]);
  const results = agent.model.asked.at(-1)?.messages.filter(({ role }) => role === "result") ?? [];
  const lengths = results.map(({ parts }) => JSON.stringify(parts).length);
  expect(lengths[0]).toBeLessThan(4_000);
  expect(lengths.at(-1)).toBeGreaterThan(5_000);
});

test("usage is told anew when the model changes", async () => {
  await using agent = await connectScripted({
    models: [
      scriptedModel([[text("Hi.")]], { info: { id: "scripted/a", windowTokens: 1_000_000 } }),
      scriptedModel([], { info: { id: "scripted/b", windowTokens: 8_000 } }),
    ],
  });
  const session = await agent.open();
  await agent.prompt(session, "Hello.");
  await agent.client.setConfigOption(session, "model", "scripted/b");
  expect(only(agent.heardOf(session), "usage_update").at(-1)).toMatchObject({ size: 8_000 });
});
