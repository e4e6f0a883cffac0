// What an option's value is, by what help calls it. Pure.

import type { Option } from "../command/command.ts";

export type ValueKind = "file" | "folder" | "session" | "other";

/** Nothing where it takes no value. */
export function valueKind({ value }: Option): ValueKind | undefined {
  switch (value?.replace(/[[\]]/g, "")) {
    case undefined:
      return undefined;
    case "FILE":
      return "file";
    case "DIR":
    case "FOLDER":
      return "folder";
    case "ID":
      return "session";
    default:
      return "other";
  }
}
