import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../../id/id.ts";
import { type Message, text } from "../../message/message.ts";
import { demoModel } from "../demo.ts";
import { SUMMARY_MARK } from "../summary-mark.ts";
import { withoutContext } from "../without-context.ts";

const FACTS = "<context>\nDate: 2026-01-31\n</context>";
const ASK = user(`${SUMMARY_MARK} Its beginning will be replaced.`);
const DISCLAIMER = "The demo puts its summaries together by rules; no model thought about this one.";

describe("asked for a summary", () => {
  test("the demo tells what was said and done, and an earlier summary", async () => {
    const said = await answerTo([
      user("This is your own summary.\n<summary>\nIt began well.\n</summary>"),
      user(`Read a.ts\n\n${FACTS}`),
      calls("c1", "read_file"),
      result("c1"),
      calls("c2", "read_file"),
      result("c2", { failed: true }),
      user(FACTS),
      assistant("This is a.ts."),
      user("Run the tests"),
      calls("c3", "run_shell_command"),
      result("c3"),
      ASK,
    ]);

    expect(said).toBe(
      [
        DISCLAIMER,
        "Before that: It began well.",
        "Requests of the person:\n- Read a.ts\n- Run the tests",
        "Calls: read_file 2, run_shell_command 1; 1 failed.",
        "Said last: This is a.ts.",
      ].join("\n\n"),
    );
  });

  test("the demo reads the same from a transcript", async () => {
    const session = [
      "Person: Read a.ts",
      "Call of read_file: {}",
      "Result of read_file (failed): no such file",
      "Assistant: There is no a.ts.",
    ];

    expect(await answerTo([user(`${SUMMARY_MARK}\n\n<session>\n${session.join("\n\n")}\n</session>`)])).toBe(
      [
        DISCLAIMER,
        "Requests of the person:\n- Read a.ts",
        "Calls: read_file 1; 1 failed.",
        "Said last: There is no a.ts.",
      ].join("\n\n"),
    );
  });

  test("the demo makes nothing up where nothing happened", async () => {
    expect(await answerTo([user(SUMMARY_MARK)])).toBe(
      [DISCLAIMER, "Requests of the person:\n- none", "Calls: none; 0 failed."].join("\n\n"),
    );
  });
});

describe("what the program tells beside a prompt", () => {
  test.each([
    ["Count to 3", "Count to 3"],
    [`Count to 3\n\n${FACTS}`, "Count to 3"],
    [`Count to 3\n\n${FACTS}\n\n${FACTS}`, "Count to 3"],
    [FACTS, ""],
    ["What does <context> mean?", "What does <context> mean?"],
  ])("is not part of what the person said: %j", (given, said) => {
    expect(withoutContext(given)).toBe(said);
  });

  test("does not change what the demo answers", async () => {
    const plain = await answerTo([user("count to 3")]);

    expect(await answerTo([user(`count to 3\n\n${FACTS}`)])).toBe(plain);
    expect(await answerTo([user("count to 3"), user(FACTS)])).toBe(plain);
    expect(plain).toContain("1 2 3");
  });

  test("does not make the demo introduce itself again behind a summary", async () => {
    const first = await answerTo([user("count to 3")]);
    const later = await answerTo([user("<summary>\nIt began well.\n</summary>"), user("count to 3")]);

    expect(first.endsWith(later)).toBe(true);
    expect(later.length).toBeLessThan(first.length);
  });
});

async function answerTo(messages: readonly Message[]): Promise<string> {
  const model = demoModel({ delay: async () => {} });
  let said = "";
  for await (const event of model.stream({ system: "", messages, tools: [] }, new AbortController().signal)) {
    if (event.type === "text-delta") said += event.text;
  }
  return said;
}

function user(said: string): Message {
  return { role: "user", id: "u" as MessageId, parts: [text(said)] };
}

function assistant(said: string): Message {
  return { role: "assistant", id: "a" as MessageId, parts: [text(said)] };
}

function calls(callId: string, name: string): Message {
  const part = { type: "call", callId: callId as CallId, name, input: "{}" } as const;
  return { role: "assistant", id: "a" as MessageId, parts: [part] };
}

function result(callId: string, { failed = false } = {}): Message {
  return { role: "result", callId: callId as CallId, name: "", failed, parts: [text("ok")] };
}
