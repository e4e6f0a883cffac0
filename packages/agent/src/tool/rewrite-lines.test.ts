import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editText } from "./edit-text.ts";

interface Row {
  readonly depth: number;
  readonly word: string;
}

type Change = "keep" | "change" | "remove" | "add-beside" | "add-below";

const unit = fc.constantFrom("  ", "    ", "\t");
const changes = fc.array(fc.constantFrom<Change>("keep", "keep", "change", "remove", "add-beside", "add-below"), {
  minLength: 1,
  maxLength: 8,
});

/** A program: no line is more than one level deeper than the one before. */
const program = fc.array(fc.integer({ min: -3, max: 1 }), { minLength: 6, maxLength: 20 }).map((steps): Row[] => {
  let depth = 0;
  const rows = steps.map((step, at) => {
    depth = Math.max(0, Math.min(depth + step, 4));
    return { depth, word: `statement${at}();` };
  });
  return [{ depth: 0, word: "begin {" }, { depth: 1, word: "first();" }, { depth: 2, word: "second();" }, ...rows];
});

describe("for any program and any indentation of the model", () => {
  test("what is changed is what would have been changed by hand, or nothing", () => {
    let refused = 0;
    fc.assert(
      fc.property(program, unit, unit, fc.nat(), changes, fc.boolean(), (rows, actual, written, at, changes, shift) => {
        const start = at % (rows.length - changes.length > 0 ? rows.length - changes.length : 1);
        const old = rows.slice(start, start + changes.length);
        const fresh = old.flatMap((row, index) => changed(row, changes[index] ?? "keep", index));
        fc.pre(fresh.length > 0 && JSON.stringify(fresh) !== JSON.stringify(old));
        const less = shift ? Math.min(...[...old, ...fresh].map(({ depth }) => depth)) : 0;
        const [before, after] = [rows.slice(0, start), rows.slice(start + old.length)];
        const edit = { oldText: inUnit(old, written, less), newText: inUnit(fresh, written, less), replaceAll: false };

        const edited = editText(inUnit([...before, ...old, ...after], actual, 0), [edit], "a");

        if (edited.type === "refused") refused++;
        // What was copied to the letter is replaced to the letter.
        else if (edited.how !== "exact") expect(edited.text).toBe(inUnit([...before, ...fresh, ...after], actual, 0));
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeLessThan(50);
  });
});

function changed(row: Row, change: Change, at: number): Row[] {
  switch (change) {
    case "keep":
      return [row];
    case "change":
      return [{ ...row, word: `changed${at}();` }];
    case "remove":
      return [];
    case "add-beside":
      return [row, { ...row, word: `added${at}();` }];
    case "add-below":
      return [row, { depth: row.depth + 1, word: `below${at}();` }];
  }
}

function inUnit(rows: readonly Row[], unit: string, less: number): string {
  return rows.map(({ depth, word }) => `${unit.repeat(depth - less)}${word}\n`).join("");
}
