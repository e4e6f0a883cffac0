import { expect, test } from "vitest";
import { editText } from "../edit-text.ts";
import { character } from "./character.ts";
import type { EditCase } from "./edit-case.ts";
import { escaped } from "./escaped.ts";
import { field } from "./field.ts";
import { indentation } from "./indentation.ts";
import { mixed } from "./mixed.ts";
import { nearMiss } from "./near-miss.ts";
import { variantsOf } from "./variant.ts";
import { whitespace } from "./whitespace.ts";

const base = [...indentation, ...whitespace, ...character, ...escaped, ...mixed, ...field, ...nearMiss];
const all = [...base, ...base.flatMap(variantsOf)];

interface Judged {
  readonly verdict: "right" | "refused" | "wrong";
  readonly name: string;
  readonly got: string;
  readonly intended: string;
}

/** What was refused and need not have been is a nuisance; what was done and is not what was meant is damage. */
function judge({ name, language, text, oldText, newText, replaceAll = false, result }: EditCase): Judged {
  const edited = editText(text, [{ oldText, newText, replaceAll }], "file");
  const got = edited.type === "edited" ? edited.text : "refused";
  const verdict = got === result ? "right" : got === "refused" ? "refused" : "wrong";
  return { verdict, name: `${language}: ${name}`, got, intended: result };
}

test("imperfect edits do what was meant, or nothing", () => {
  const judged = all.map(judge);
  const right = judged.filter(({ verdict }) => verdict === "right").length;
  console.log(`edit corpus: ${right} of ${all.length} right (${((100 * right) / all.length).toFixed(1)} %)`);
  for (const { verdict, name } of judged) if (verdict === "refused") console.log(`  refused: ${name}`);

  expect(judged.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
  expect(right / all.length).toBeGreaterThanOrEqual(0.95);
});

test("there are enough of them, and no two the same", () => {
  expect(base.length).toBeGreaterThanOrEqual(60);
  expect(all.length).toBeGreaterThanOrEqual(200);
  expect(new Set(all.map(({ text, oldText, newText }) => JSON.stringify([text, oldText, newText]))).size).toBe(
    all.length,
  );
});
