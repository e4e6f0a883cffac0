import { expect, test } from "vitest";
import { broken, fine, toLines, warning } from "./finding.ts";

const findings = [
  fine("home", "It can be written."),
  warning("model", "There is no key, so the demo answers. Set OPENAI_API_KEY or another key, or start Ollama."),
  broken("node", "Too old."),
];

test("a line each where nobody says how wide a line is", () => {
  expect(toLines(findings, { colors: false })).toBe(
    "ok       home   It can be written.\nwarning  model  There is no key, so the demo answers. Set OPENAI_API_KEY or another key, or start Ollama.\nBROKEN   node   Too old.\n",
  );
});

test("in a terminal a message stays in its column, and below its topic where that is narrow", () => {
  expect(toLines(findings.slice(1, 2), { colors: false, columns: 60 })).toBe(
    "warning  model  There is no key, so the demo answers. Set\n                OPENAI_API_KEY or another key, or start\n                Ollama.\n",
  );
  const narrow = toLines(findings, { colors: false, columns: 40 });
  expect(narrow).toContain("warning  model\n  There is no key, so the demo answers.\n");
  expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
});

test("colours say how bad it is", () => {
  const text = toLines(findings, { colors: true });
  for (const mark of ["\u001b[32mok", "\u001b[33mwarning", "\u001b[31mBROKEN"]) expect(text).toContain(mark);
});
