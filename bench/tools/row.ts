// The rows of the table, and the bars.

import type { Row } from "../agent/row.ts";
import { commandRows } from "./command.ts";
import { editRows } from "./edit.ts";
import { gateRows } from "./gate.ts";
import { largeRows, largeRowsWithoutBar } from "./large.ts";

export const rows: readonly Row[] = [
  ratio("search", "search_file_content, 100 matches in 10,000 files, by plain ripgrep", 1.5),
  ratio("glob", "glob, 2,000 matches of 10,000 files, by fdir", 2),
  ...commandRows,
  ...gateRows,
  ...editRows,
  ...largeRows,
  ratio("search-common", "search_file_content, 250,000 matches, by plain ripgrep"),
  ratio("search-alone", "search_file_content where there is no ripgrep, by plain ripgrep"),
  ...largeRowsWithoutBar,
];

function ratio(scenario: string, name: string, atMost?: number): Row {
  const bar = atMost === undefined ? {} : { atMost };
  return { scenario, name, figure: "wallMs", unit: "ms", compared: "ratio", peer: "floor", counts: "median", ...bar };
}
