// The tools every session has. A new one is a file here and a line in this list.

import type { AnyTool } from "../tool.ts";
import { askUser } from "./ask-user.ts";
import { checkBackgroundCommand } from "./check-background-command.ts";
import { glob } from "./glob.ts";
import { listDirectory } from "./list-directory.ts";
import { readFile } from "./read-file.ts";
import { replace } from "./replace.ts";
import { runShellCommand } from "./run-shell-command.ts";
import { searchFileContent } from "./search-file-content.ts";
import { stopBackgroundCommand } from "./stop-background-command.ts";
import { todoWrite } from "./todo-write.ts";
import { webFetch } from "./web-fetch.ts";
import { writeFile } from "./write-file.ts";

export const builtinTools: readonly AnyTool[] = [
  readFile,
  writeFile,
  replace,
  listDirectory,
  glob,
  searchFileContent,
  runShellCommand,
  checkBackgroundCommand,
  stopBackgroundCommand,
  todoWrite,
  askUser,
  webFetch,
];
