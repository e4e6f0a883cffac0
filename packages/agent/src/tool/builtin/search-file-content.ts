// search_file_content: lines that hold a text or match a regular expression, in the files somebody works on first.

import { toShown } from "../../machine/find-name.ts";
import type { FoundText, TextMatch } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { firstLine } from "../cut.ts";
import { boolean, defineInput, type InputOf, optional, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn, shortIn, titleIn } from "../place.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const MAX_MATCHES = 100;
const MAX_MATCHES_EACH = 20;
const MAX_LOCATIONS = 20;
const TITLE_CHARS = 120;
const TITLE_PATTERN_CHARS = 60;

const input = defineInput({
  pattern: string("What to look for, in one line", { aliases: ["query", "text", "search", "regexp"] }),
  file_pattern: optional(
    string("Only in such files: `*.py`, `*.{ts,tsx}`, `src/**/*.css`", { aliases: ["include", "glob", "file_glob"] }),
  ),
  directory: withDefault(
    string("The folder to search, or a single file, absolute or relative to the working directory", {
      aliases: ["path", "dir", "folder", "directory_path", "file_path"],
    }),
    ".",
  ),
  case_sensitive: withDefault(boolean("Upper and lower case differ"), true),
  regex: withDefault(boolean("The pattern is a regular expression", { aliases: ["is_regex", "use_regex"] }), false),
});

type Input = InputOf<typeof input>;

export const searchFileContent = defineTool<Input>({
  name: "search_file_content",
  description:
    "Searches the content of files, line by line. Binary files, what ignore files name and folders such as node_modules " +
    "are left out unless the directory names them.",
  inputSchema: input.schema,
  parse(given) {
    const parsed = input.parse(given);
    const problem = "problem" in parsed ? undefined : problemOf(parsed.input);
    return problem === undefined ? parsed : { problem };
  },
  plan({ pattern, file_pattern, directory }, room) {
    const path = absoluteIn(room, directory);
    const files = file_pattern === undefined ? "" : ` (${file_pattern})`;
    const title = `Search "${firstLine(pattern, TITLE_PATTERN_CHARS)}" in ${titleIn(room, directory)}${files}`;
    return {
      title: firstLine(title, TITLE_CHARS),
      kind: "search",
      locations: [{ path }],
      effect: { type: "read", paths: [path] },
    };
  },
  async run(given, room, signal) {
    const found = await room.machine.searchText(
      {
        folder: absoluteIn(room, given.directory),
        pattern: given.pattern,
        isRegex: given.regex,
        isCaseSensitive: given.case_sensitive,
        filePattern: given.file_pattern,
        limit: MAX_MATCHES,
        limitEach: MAX_MATCHES_EACH,
        env: room.env,
      },
      signal,
    );
    if (found.total === 0) return { told: [text(nothing(given, found))] };
    const lines = found.matches.map((match) => toLine(match, room)).join("\n");
    return {
      told: [text([summary(found), lines, ...rest(found)].join("\n"))],
      content: [text(fenced(lines))],
      locations: found.matches.slice(0, MAX_LOCATIONS).map(({ path, line }) => ({ path, line })),
    };
  },
});

function problemOf({ pattern, regex, file_pattern }: Input): string | undefined {
  if (pattern === "") return "pattern must not be empty";
  if (pattern.includes("\0")) return "pattern must not contain a NUL character: binary files are not searched";
  if (/[\r\n]/.test(pattern)) return "pattern must be one line: files are searched line by line";
  if (regex && /(?<!\\)(?:\\\\)*\\n/.test(pattern))
    return "pattern must not contain \\n: files are searched line by line";
  if (file_pattern !== undefined && /^\/|^(?:.*\/)?\.\.(?:\/|$)/.test(file_pattern.trim())) {
    return "file_pattern must be a pattern below the directory; name another place by directory";
  }
  return undefined;
}

function toLine({ path, line, text }: TextMatch, room: ToolRoom): string {
  return `${toShown(shortIn(room, path))}:${line}: ${text}`;
}

function summary({ total, files, ended }: FoundText): string {
  return `Found ${ended === "by-itself" ? "" : "at least "}${total} match(es) in ${files} file(s):`;
}

function rest({ matches, total, ended }: FoundText): string[] {
  const more = total - matches.length;
  return [
    ...(more > 0 ? [`… and ${more} more matches. Narrow the pattern, file_pattern or directory to see them.`] : []),
    ...(ended === "too-many" ? ["There are more than could be counted."] : []),
    ...(ended === "too-long" ? ["The search took too long and was ended: there may be others. Name a directory."] : []),
  ];
}

function nothing({ pattern, file_pattern }: Input, { ended }: FoundText): string {
  const files = file_pattern === undefined ? "" : ` in files matching ${file_pattern}`;
  const unfinished = ended === "by-itself" ? "" : " The search took too long and was ended: name a directory.";
  return `No matches found for pattern: ${pattern}${files}.${unfinished}`;
}
