// What a command of the program is made of, for those who still look for it here.

export type { Io } from "../io/io.ts";
export type { CommandTable, Option } from "../manual/command.ts";
export { UsageError } from "../manual/usage-error.ts";
