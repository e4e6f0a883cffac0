import type { Entry } from "@agentao/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFinder } from "./search.ts";
import { answered, called, prompt, said } from "./stored-session.ts";

const find = (words: string, entries: readonly object[], isCaseSensitive = false) => {
  const finder = createFinder({ words, isCaseSensitive });
  return entries.flatMap((entry) => finder({ at: 1, ...entry } as Entry));
};

test("finds prompts, answers, calls and their results, whatever the case", () => {
  const entries = [prompt("Fix LOGIN"), said("the login page"), called("npm test login"), answered("login ok")];
  expect(find("login", entries).map(({ who }) => who)).toEqual(["you", "agent", "call", "result"]);
  expect(find("LOGIN", entries, true)).toEqual([{ who: "you", excerpt: "Fix LOGIN" }]);
  expect(find("absent", entries)).toEqual([]);
});

test("finds what the end of a piece cut apart, and only once in a message", () => {
  expect(find("needle", [said("a nee"), said("dle b"), said(" needle")])).toEqual([
    { who: "agent", excerpt: "a needle b" },
  ]);
  expect(find("needle", [said("a nee"), said("dle", "msg_other")])).toEqual([]);
});

test("finds the same in however many pieces a message was written", () => {
  const pieces = fc.array(fc.constantFrom("n", "ne", "edle", "needle", " ", "x"), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, (texts) => {
      const count = find(
        "needle",
        texts.map((text) => said(text)),
      ).length;
      expect(count).toBe(texts.join("").includes("needle") ? 1 : 0);
    }),
  );
});

test("shows one line around it, without secrets and orders to the terminal", () => {
  const long = `${"x ".repeat(100)}\u001b[31mneedle\n\npassword=hunter22 ${"y ".repeat(100)}`;
  const [{ excerpt } = { excerpt: "" }] = find("needle", [answered(long)]);
  expect(excerpt).toMatch(/^…x x .* needle password=\[redacted\] y y.*…$/);
});
