import type { Entry } from "@agentao/agent";
import { expect, test } from "vitest";
import { BEGAN, wholeTurn } from "./stored-session.ts";
import { type Decision, describeDecision, describeOutcome, type Transcript, TranscriptFold } from "./transcript.ts";

function fold(bodies: readonly object[]): Transcript | undefined {
  const transcript = new TranscriptFold();
  const header = { type: "session", version: 1, id: "sess_1", cwd: "/project" };
  for (const [at, body] of [header, ...bodies].entries()) transcript.add({ at: BEGAN + at * 1000, ...body } as Entry);
  return transcript.transcript;
}

test("tells a turn as a person reads it", () => {
  const call = expect.objectContaining({ name: "run_shell_command", title: "npm test" });
  const decision = { allowed: true, by: "rule", because: "tests may run", rule: "permissions.json#2" };
  const at = (seconds: number) => BEGAN + seconds * 1000;
  expect(fold(wholeTurn)).toEqual({
    id: "sess_1",
    cwd: "/project",
    createdAt: BEGAN,
    updatedAt: at(13),
    model: "openai/gpt-6.1-sol",
    mode: "workspace-write",
    cost: 0.0421,
    usedTokens: 1200,
    windowTokens: 128_000,
    workedMs: 10_000,
    turns: [
      {
        at: at(3),
        prompt: [{ type: "text", text: "Fix the <login> test\nplease" }],
        items: [
          { type: "reasoning", at: at(4), text: "I look first." },
          { type: "text", at: at(5), text: "I will run it." },
          {
            type: "call",
            at: at(7),
            call,
            decisions: [decision],
            runningAt: at(9),
            endedAt: at(10),
            failed: false,
            content: [{ type: "text", text: "1 failed\u001b[31m red\nAPI_KEY=abcdef123456" }],
          },
          { type: "text", at: at(11), text: "Done:\n```sh\nnpm test && echo '<ok>'\n```\nBye." },
        ],
        outcome: { type: "ended" },
        endedAt: at(13),
      },
    ],
  });
});

test("remarks on a model or a mode that was changed in between, and on a process that died", () => {
  const [model, mode, prompt] = wholeTurn;
  const turns = fold([
    ...[model, mode, prompt].filter((entry) => entry !== undefined),
    { type: "mode", modeId: "plan" },
    { type: "interrupted" },
  ])?.turns;
  expect(turns?.[0]?.items.map((item) => "text" in item && item.text)).toEqual([
    "The mode is now plan.",
    "The process ended before this turn was finished.",
  ]);
});

test("passes over what belongs to nothing and what it does not know", () => {
  const odd = [
    { type: "text", messageId: "m", text: "before any prompt" },
    { type: "decision", callId: "nobody", allowed: true },
    { type: "from-the-future", x: 1 },
  ];
  expect(fold(odd)?.turns).toEqual([]);
  expect(new TranscriptFold().transcript).toBeUndefined();
});

test.each<[Partial<Decision>, string]>([
  [{ by: "rule", rule: "hardline", allowed: false }, "denied by rule hardline: because"],
  [{ by: "rule" }, "allowed by rule: because"],
  [{ by: "rule", rule: "mode full-access" }, "allowed by mode full-access: because"],
  [{ by: "grant", rule: "npm test" }, "allowed by an earlier answer (npm test): because"],
  [
    { by: "person", answer: "allow_once", rule: "mode" },
    "allowed by the person (allow_once), asked by rule mode: because",
  ],
  [{ by: "person", allowed: false }, "denied by the person: because"],
  [{ by: "rule", rule: "hardline", allowed: false, because: "Denied: it was not run" }, "denied by rule hardline"],
])("says who decided: %o", (decision, sentence) => {
  expect(describeDecision({ allowed: true, by: "rule", because: "because", ...decision })).toBe(sentence);
});

test("says nothing about a turn that ended well", () => {
  expect(describeOutcome({ type: "ended" })).toBeUndefined();
  expect(describeOutcome(undefined)).toBe("not finished");
  expect(describeOutcome({ type: "cancelled" })).toBe("cancelled");
});
