import { expect, test } from "vitest";
import type { MessageId } from "../id/id.ts";
import { type PromptPart, text } from "../message/message.ts";
import { boundTitle, toTitle } from "./title.ts";

const link: PromptPart = { type: "link", uri: "file:///a", name: "a" };

test.each<[string, PromptPart[], string | undefined]>([
  ["the first line of the text", [text("Fix the bug\nin the parser")], "Fix the bug"],
  ["the first line that says something", [text("  \n\n  Fix \t it  \r\nnow")], "Fix it"],
  ["the first text that says something", [link, text(" "), text("Fix it")], "Fix it"],
  ["nothing where there is no text", [link], undefined],
])("is %s", (_, parts, title) => {
  expect(toTitle({ role: "user", id: "m" as MessageId, parts })).toBe(title);
});

test.each<[string, string, string]>([
  ["eighty characters", "x".repeat(80), "x".repeat(80)],
  ["eighty characters outside of the basic plane", "😀".repeat(80), "😀".repeat(80)],
  ["one more", "😀".repeat(81), `${"😀".repeat(79)}…`],
  ["very many", "x ".repeat(100_000), `${"x ".repeat(39)}x…`],
])("keeps to its bound with %s", (_, title, bounded) => {
  expect(boundTitle(title)).toBe(bounded);
});
