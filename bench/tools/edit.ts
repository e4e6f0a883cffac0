// An edit that was copied inexactly and changes thousands of lines: what it takes must grow with the file, no faster.

import { editText } from "../../packages/agent/src/tool/edit-text.ts";
import { alone, type Row } from "../harness/row.ts";
import { type Scenario, timed } from "./scenario.ts";

const LINES = 4_000;
const ROUNDS = 5;

export const editRows: readonly Row[] = [
  alone("edit", "wallMs", "replace_all of 4,000 lines with other blanks than the file has", "ms", 400),
];

export function toEditScenarios(): readonly Scenario[] {
  const text = "  foo();\n".repeat(LINES);
  const edit = { oldText: "\tfoo();", newText: "\tbar();", replaceAll: true };
  return [
    {
      id: "edit",
      sides: ["ours"],
      atMostRounds: ROUNDS,
      run: timed(async () => {
        const edited = editText(text, [edit], "a.js");
        if (edited.type !== "edited" || edited.count !== LINES) throw new Error(`expected: ${LINES} edits`);
      }),
    },
  ];
}
