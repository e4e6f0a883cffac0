// The rows of the table, and the bars.

import { type Row, ratio } from "../harness/row.ts";
import { commandRows } from "./command.ts";
import { editRows } from "./edit.ts";
import { gateRows } from "./gate.ts";
import { largeRows, largeRowsWithoutBar } from "./large.ts";

export const rows: readonly Row[] = [
  ratio("search", "wallMs", "search_file_content, 100 matches in 10,000 files, by plain ripgrep", "ms", 1.5),
  ratio("glob", "wallMs", "glob, 2,000 matches of 10,000 files, by fdir", "ms", 2),
  ...commandRows,
  ...gateRows,
  ...editRows,
  ...largeRows,
  ratio("search-common", "wallMs", "search_file_content, 250,000 matches, by plain ripgrep", "ms"),
  ratio("search-alone", "wallMs", "search_file_content where there is no ripgrep, by plain ripgrep", "ms"),
  ...largeRowsWithoutBar,
];
