// The tools every session has. A new one is a file here and a line in this list.

import type { AnyTool } from "../tool.ts";
import { askUser } from "./ask-user.ts";
import { listDirectory } from "./list-directory.ts";
import { readFile } from "./read-file.ts";
import { replace } from "./replace.ts";
import { runShellCommand } from "./run-shell-command.ts";
import { todoWrite } from "./todo-write.ts";
import { writeFile } from "./write-file.ts";

export const builtinTools: readonly AnyTool[] = [
  readFile,
  writeFile,
  replace,
  listDirectory,
  runShellCommand,
  todoWrite,
  askUser,
];
