import { expect, test } from "vitest";
import { compareAnswers } from "./compare.ts";
import type { Answer } from "./steps.ts";

const result = (value: unknown): Answer => ({ type: "result", id: 1, result: value });
const error = (code: number, message = "no"): Answer => ({ type: "error", id: 1, error: { code, message } });

test.each<[string, string, Answer, Answer, string[]]>([
  ["the same", "x", result({ a: 1 }), result({ a: 2 }), []],
  ["null and absent", "x", result({ a: null }), result({}), []],
  ["a field less", "x", result({ a: 1 }), result({}), ["x: a was a number, and is absent"]],
  ["a field more", "x", result({}), result({ a: [] }), ["x: a was absent, and is an array"]],
  ["nothing for an object", "x", result(null), result({}), ["x: the result was absent, and is an object"]],
  ["an error now", "x", result({}), error(-32000, "sign in"), ["x was answered, and fails now: -32000 sign in"]],
  ["no error now", "x", error(-32000), result({}), ["x failed (-32000 no), and is answered now"]],
  ["another error", "x", error(1), error(2), ["x failed with 1, and fails with 2 now"]],
  ["the same error in other words", "x", error(1, "a"), error(1, "b"), []],
  [
    "another capability",
    "initialize",
    result({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
    result({ protocolVersion: 1, agentCapabilities: {} }),
    ["initialize: agentCapabilities/loadSession was true, and is absent"],
  ],
  [
    "another stop reason",
    "session/prompt",
    result({ stopReason: "end_turn" }),
    result({ stopReason: "refusal" }),
    ['session/prompt: stopReason was "end_turn", and is "refusal"'],
  ],
])("%s", (_, method, before, now, differences) => {
  expect(compareAnswers(method, before, now)).toEqual(differences);
});
