// A transcript as a Markdown document. Pure.

import type { ToolCallItem, Transcript, TranscriptItem } from "@agentao/acp";
import { diffLines } from "../text/diff-lines.ts";
import { cleanLine, cleanText } from "../text/plain.ts";
import { contentText } from "./view/content.ts";
import { shortPath } from "./view/room.ts";

export function transcriptMarkdown(transcript: Transcript, cwd: string): string {
  const title = transcript.title === undefined ? "Session" : cleanLine(transcript.title);
  const parts = transcript.items.map((item) => itemMarkdown(item, cwd)).filter((part) => part !== "");
  return `${[`# ${title}`, ...parts].join("\n\n")}\n`;
}

function itemMarkdown(item: TranscriptItem, cwd: string): string {
  switch (item.type) {
    case "message": {
      const text = cleanText(contentText(item.content, cwd)).trim();
      if (item.from === "user") return `## You\n\n${text}`;
      if (item.from === "agent") return text;
      return text === "" ? "" : `<details><summary>Thought</summary>\n\n${text}\n\n</details>`;
    }
    case "tool-call":
      return callMarkdown(item, cwd);
    case "notice":
      return `> ${cleanLine(item.title)}`;
    case "compaction":
      return item.status === "completed" ? "> The conversation so far was summed up." : "";
    case "unknown":
      return "";
  }
}

function callMarkdown(item: ToolCallItem, cwd: string): string {
  const state = item.status === "completed" ? "" : ` (${item.status.replace("_", " ")})`;
  const blocks = item.content.flatMap((one) => {
    if (one.type === "diff") return [fenced("diff", diffText(one.path, one.oldText, one.newText, cwd))];
    if (one.type === "content") return [fenced("", cleanText(contentText([one.content], cwd)).trimEnd())];
    return [];
  });
  return [`**${cleanLine(item.title)}**${state}`, ...blocks].join("\n\n");
}

function diffText(path: string, oldText: string | null | undefined, newText: string, cwd: string): string {
  const name = shortPath(path, cwd);
  const lines = diffLines(oldText, newText).flatMap((line) =>
    line.type === "same" ? [] : [`${line.type === "added" ? "+" : "-"}${cleanText(line.text)}`],
  );
  return [`--- ${oldText == null ? "/dev/null" : name}`, `+++ ${name}`, ...lines].join("\n");
}

/** A fence longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([mark]) => mark.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
