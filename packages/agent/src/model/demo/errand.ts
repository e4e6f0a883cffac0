// Wishes that take one tool call: which calls would do, what is said before, and what after.

import { inline } from "./quote.ts";
import type { Sentences } from "./sentence.ts";
import type { Wish } from "./wish.ts";

export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Errand {
  /** The best first; the first whose tool is offered is taken. */
  readonly ways: readonly ToolUse[];
  readonly before: string;
  after(told: string): string;
}

export type ErrandWish = Extract<
  Wish,
  { type: "list" | "find" | "read" | "search" | "write" | "replace" | "run" | "ask" }
>;

export function toErrand(wish: ErrandWish, say: Sentences): Errand {
  switch (wish.type) {
    case "list": {
      const { path, recursive } = wish;
      const before = say.listing(path);
      const pattern = `${path === "." ? "" : `${path}/`}${recursive ? "**/*" : "*"}`;
      const ways = [
        { name: "list_directory", input: { directory_path: path, recursive } },
        { name: "glob", input: { pattern } },
        shell(`${recursive ? "ls -R" : "ls -la"} -- ${shellWord(path)}`, plain(before)),
      ];
      return { ways, before, after: (told) => say.listed(path, told) };
    }
    case "find": {
      const { pattern } = wish;
      const before = say.finding(pattern);
      const name = pattern.slice(pattern.lastIndexOf("/") + 1);
      const ways = [{ name: "glob", input: { pattern } }, shell(`find . -name ${shellWord(name)}`, plain(before))];
      return { ways, before, after: (told) => say.found(told) };
    }
    case "read": {
      const { type: _, path, ...range } = wish;
      const before = say.reading(path);
      const ways = [
        { name: "read_file", input: { file_path: path, ...range } },
        shell(`cat -- ${shellWord(path)}`, plain(before)),
      ];
      return { ways, before, after: (told) => say.read(path, told) };
    }
    case "search": {
      const { text, files } = wish;
      const before = say.searching(text);
      const ways = [
        { name: "search_file_content", input: { pattern: text, ...(files && { file_pattern: files }) } },
        shell(grep(text, files), plain(before)),
      ];
      return { ways, before, after: (told) => say.searched(text, told) };
    }
    case "write": {
      const { path, content } = wish;
      const ways = [{ name: "write_file", input: { file_path: path, content } }];
      return { ways, before: say.writing(path), after: (told) => say.wrote(path, told) };
    }
    case "replace": {
      const { path, from, to } = wish;
      const ways = [{ name: "replace", input: { file_path: path, old_text: from, new_text: to } }];
      return { ways, before: say.replacing(path), after: (told) => say.replaced(path, told) };
    }
    case "run": {
      const { command } = wish;
      const ways = [shell(command, inline(command))];
      return { ways, before: say.running(command), after: (told) => say.ran(command, told) };
    }
    case "ask": {
      const { question = say.question, options } = wish.question === undefined ? { options: say.options } : wish;
      const ways = [{ name: "ask_user", input: { question, ...(options.length > 0 && { options }) } }];
      return { ways, before: say.asking, after: (told) => say.answered(told) };
    }
  }
}

function shell(command: string, description: string): ToolUse {
  return { name: "run_shell_command", input: { command, description } };
}

/** A sentence outside Markdown. */
function plain(sentence: string): string {
  return sentence.replaceAll("`", "");
}

function grep(text: string, files: string | undefined): string {
  const where = files?.endsWith("/**") ? shellWord(files.slice(0, -3)) : ".";
  const include = files === undefined || files.endsWith("/**") ? "" : ` --include=${shellWord(files)}`;
  return `grep -rnF${include} -e ${shellWord(text)} -- ${where}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
