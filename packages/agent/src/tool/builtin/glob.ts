// glob: files by a pattern of their paths, those somebody works on first. What programs made is left out.

import { toShown } from "../../machine/find-name.ts";
import type { FoundFiles } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { firstLine } from "../cut.ts";
import { defineInput, type InputOf, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn, shortIn, titleIn } from "../place.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const MAX_FILES = 200;
const MAX_LOCATIONS = 20;
const TITLE_CHARS = 120;

const input = defineInput({
  pattern: string("The pattern: `**/*.ts` for any folder below, `src/*.{js,ts}`, `.github/**`", {
    aliases: ["glob", "glob_pattern", "query"],
  }),
  directory: withDefault(
    string("The folder to start in, absolute or relative to the working directory", {
      aliases: ["path", "dir", "folder", "directory_path"],
    }),
    ".",
  ),
});

type Input = InputOf<typeof input>;

export const glob = defineTool<Input>({
  name: "glob",
  description:
    "Finds files by a pattern of their paths; those modified within a day come first. What ignore files name and folders " +
    "such as node_modules are left out unless the pattern or the directory names them.",
  inputSchema: input.schema,
  parse(given) {
    const parsed = input.parse(given);
    if ("problem" in parsed || parsed.input.pattern.trim() !== "") return parsed;
    return { problem: "pattern must not be empty" };
  },
  plan({ pattern, directory }, room) {
    const path = absoluteIn(room, directory);
    return {
      title: firstLine(`Find ${pattern} in ${titleIn(room, directory)}`, TITLE_CHARS),
      kind: "search",
      locations: [{ path }],
      effect: { type: "read", paths: [path, ...elsewhere(pattern, path)] },
    };
  },
  async run({ pattern, directory }, room, signal) {
    const folder = absoluteIn(room, directory);
    const found = await room.machine.findFiles({ folder, pattern: pattern.trim(), limit: MAX_FILES }, signal);
    if (found.total === 0) return { told: [text(nothing(pattern, found))] };
    const listing = found.paths.map((path) => toShown(shortIn(room, path))).join("\n");
    return {
      told: [text([summary(found), listing, ...rest(found)].join("\n"))],
      content: [text(fenced(listing))],
      locations: found.paths.slice(0, MAX_LOCATIONS).map((path) => ({ path })),
    };
  },
});

/** A pattern may lead out of the folder, and who decides on the call wants to know. */
function elsewhere(pattern: string, folder: string): string[] {
  const plain = pattern.trim().split(/[*?[{(!+@]/, 1)[0] as string;
  const start = plain.slice(0, plain.lastIndexOf("/") + 1);
  if (!start.startsWith("/") && !start.split("/").includes("..")) return [];
  return [absoluteIn({ cwd: folder, env: {} } satisfies Pick<ToolRoom, "cwd" | "env">, start)];
}

function summary({ total, isPartial }: FoundFiles): string {
  return `Found ${isPartial ? "at least " : ""}${total} file(s):`;
}

function rest({ paths, total, isPartial }: FoundFiles): string[] {
  const more = total - paths.length;
  return [
    ...(more > 0 ? [`… and ${more} more. Narrow the pattern or name a directory to see them.`] : []),
    ...(isPartial ? ["The tree is too large to be looked through: there may be others. Name a directory."] : []),
  ];
}

function nothing(pattern: string, { isPartial }: FoundFiles): string {
  const deeper = pattern.includes("/") ? "" : ` Use **/${pattern} to look in the folders below, too.`;
  const large = isPartial ? " The tree is too large to be looked through: name a directory." : "";
  return `No files found matching pattern: ${pattern}.${deeper}${large}`;
}
