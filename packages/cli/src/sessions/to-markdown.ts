// A transcript as Markdown.

import { toPlain } from "../text/plain.ts";
import { toClock } from "../text/when.ts";
import { contentText, promptText, shownOf } from "./content-text.ts";
import { callTitle, factsOf, itemsToShow, notesOn, titleOf } from "./facts.ts";
import { PLAN } from "./to-text.ts";
import { type CallItem, describeOutcome, type Item, type Transcript, type Turn } from "./transcript.ts";

export function toMarkdown(transcript: Transcript): string {
  const facts = factsOf(transcript).map(([name, value]) => `- **${name}**: ${inline(value)}`);
  const parts = [`# ${inline(titleOf(transcript))}`, facts.join("\n"), ...transcript.turns.map(turnMarkdown)];
  // It is read in terminals too.
  return `${toPlain(parts.join("\n\n"))}\n`;
}

function turnMarkdown(turn: Turn, index: number): string {
  const { at, prompt, outcome } = turn;
  const how = describeOutcome(outcome);
  return [
    `## Turn ${index + 1}`,
    `### You, ${toClock(at)}`,
    promptText(prompt),
    ...itemsToShow(turn).map(itemMarkdown),
    ...(how === undefined ? [] : [`*${inline(how)}*`]),
  ].join("\n\n");
}

function itemMarkdown(item: Item): string {
  switch (item.type) {
    case "text":
      return `### Agent\n\n${item.text}`;
    case "reasoning":
      return `### Thought\n\n${item.text.replace(/^/gm, "> ")}`;
    case "call":
      return callMarkdown(item);
    case "plan":
      return item.entries.map(({ status, content }) => `- ${PLAN[status] ?? "[ ]"} ${inline(content)}`).join("\n");
    case "summary":
      return `### Summary of what was before\n\n${item.text}`;
    case "remark":
      return `*${inline(item.text)}*`;
    default:
      return "";
  }
}

function callMarkdown(item: CallItem): string {
  const notes = notesOn(item).map((note) => `- ${inline(note)}`);
  const blocks = shownOf(item).map((content) => fenced(contentText(content), content.type === "diff" ? "diff" : ""));
  return [
    `### Call: ${inline(callTitle(item))} (\`${item.call.name.replaceAll("`", "")}\`)`,
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
    ...blocks,
  ].join("\n\n");
}

/** The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** One line that means nothing but itself. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");
}
