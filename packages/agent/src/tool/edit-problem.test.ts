import { expect, test } from "vitest";
import { notFound } from "./edit-problem.ts";

test("an edit that seems to be done is told so, with its line", () => {
  const edit = { oldText: "const port = 80;", newText: "const port = readPort(env);" };

  expect(notFound("// top\nconst port = readPort(env);\n", edit, "a.ts")).toBe(
    "Old text not found in a.ts, but new_text is there already, at line 2: it seems to have been edited before.",
  );
  expect(notFound("done\n", { oldText: "undone!", newText: "done" }, "a.ts")).not.toContain("already");
});

test("blanks that differ are seen", () => {
  const told = notFound("if (a) {\n\tgo();\n}\n", { oldText: "if (a) {\n  gone();\n}", newText: "x" }, "a.ts");

  expect(told).toContain('The first line that differs: 2 is "\\tgo();", not "  gone();".');
});

test("a passage that goes on after the end of the file is not compared there", () => {
  const told = notFound("one two three\n", { oldText: "one two three\nfour\n", newText: "x" }, "a.ts");

  expect(told).toMatch(
    /lines 1-2 .*\n {5}1\tone two three\n {5}2\t\nThe first line that differs: 2 is "", not "four"\./,
  );
});

test("what is most similar is bounded, and says what is left out", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `${at} ${"x".repeat(98)}`);
  const told = notFound(lines.join("\n"), { oldText: lines.join("\n").replace("39 x", "39 y"), newText: "n" }, "a.ts");

  expect(told).toContain("[… 20 more line(s)]");
  expect(told.length).toBeLessThan(2_600);
});

test("a long line is cut between characters, and not repeated", () => {
  const line = `${"x".repeat(1_999)}\u{1f600}${"y".repeat(500)}`;
  const told = notFound(line, { oldText: `${line}z`, newText: "n" }, "a.ts");

  expect(told).toContain(`     1\t${"x".repeat(1_999)} [+502 chars]\nThe first line that differs: 1.\nCopy old_text`);
});
