// A transcript as one HTML file that needs no other, loads nothing and runs nothing. Every text is escaped; a policy in
// the page forbids the rest.

import type { CallContent, PlanEntry, PromptPart } from "@agentao/agent";
import { toClock } from "../text/when.ts";
import { contentText, diffTitle, promptText, shownOf } from "./content-text.ts";
import { type DiffLine, toDiffLines } from "./diff-lines.ts";
import { callTitle, factsOf, itemsToShow, notesOn, titleOf } from "./facts.ts";
import { STYLE } from "./html-style.ts";
import { escaped } from "./inline-html.ts";
import { markdownHtml } from "./markdown-html.ts";
import { type CallItem, describeOutcome, type Item, type Transcript, type Turn } from "./transcript.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function toHtml(transcript: Transcript): string {
  const title = escaped(titleOf(transcript));
  const facts = factsOf(transcript).map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">${title}</h1>
<dl class="facts">${facts.join("\n")}</dl>
${transcript.turns.map(turnHtml).join("\n")}
</main>
<footer>Exported by agentao. What looked like a key or a password was left out.</footer>
</body>
</html>
`;
}

function turnHtml(turn: Turn): string {
  const { at, prompt, outcome } = turn;
  const how = describeOutcome(outcome);
  const time = `<time datetime="${new Date(at).toISOString()}">${toClock(at)}</time>`;
  return `<section>
<div class="you" dir="auto"><h2>You ${time}</h2>
${prompt.map(partHtml).join("\n")}
</div>
${itemsToShow(turn).map(itemHtml).join("\n")}
${how === undefined ? "" : `<p class="note ending">${escaped(how)}</p>`}
</section>`;
}

/** What a person wrote is shown as it was written. */
function partHtml(part: PromptPart): string {
  if (part.type === "image") return imageHtml(part);
  const text = promptText([part]).trim();
  if (part.type === "resource") return folded(part.uri, preHtml(part.text ?? ""));
  return text === "" ? "" : `<p>${escaped(text)}</p>`;
}

function itemHtml(item: Item): string {
  switch (item.type) {
    case "text":
      return `<div dir="auto">${markdownHtml(item.text)}</div>`;
    case "reasoning":
      return folded("Thought", markdownHtml(item.text));
    case "call":
      return callHtml(item);
    case "plan":
      return `<ul class="plan">${item.entries.map(stepHtml).join("")}</ul>`;
    case "summary":
      return folded("Summary of what was before", markdownHtml(item.text));
    case "remark":
      return `<p class="note">${escaped(item.text)}</p>`;
    default:
      return "";
  }
}

const BOXES = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

function stepHtml({ status, content }: PlanEntry): string {
  const state = Object.hasOwn(BOXES, status) ? status : "pending";
  return `<li class="${state}">${BOXES[state]} ${escaped(content)}</li>`;
}

function callHtml(item: CallItem): string {
  const notes = notesOn(item).map((note) => `<p class="note">${escaped(note)}</p>`);
  const [state, mark] = item.failed === undefined ? ["open", "·"] : item.failed ? ["failed", "✗"] : ["done", "✓"];
  return `<details class="${state}">
<summary><span class="mark">${mark}</span><span>${escaped(callTitle(item))}</span><code>${escaped(item.call.name)}</code></summary>
${[...notes, ...shownOf(item).map(contentHtml)].join("\n")}
</details>`;
}

function contentHtml(content: CallContent): string {
  if (content.type === "image") return imageHtml(content);
  if (content.type !== "diff") return preHtml(contentText(content));
  const lines = toDiffLines(content.oldText, content.newText);
  const count = (mark: DiffLine["mark"]): number => lines.filter((line) => line.mark === mark).length;
  const title = `${diffTitle(content)}, +${count("+")} −${count("-")}`;
  return `<p class="note">${escaped(title)}</p><pre class="diff">${lines.map(diffLineHtml).join("")}</pre>`;
}

const DIFF_TAGS = { "-": "del", "+": "ins", " ": "span", "@": "i" } as const;

function diffLineHtml({ mark, text }: DiffLine): string {
  const tag = DIFF_TAGS[mark];
  return `<${tag}>${escaped(mark === "@" ? text : `${mark}${text}`)}</${tag}>`;
}

/** A browser that is given much more shows nothing for long. */
const MAX_OUTPUT = 500_000;

function preHtml(text: string): string {
  const left = text.length - MAX_OUTPUT;
  const more = left > 0 ? `<p class="note">… ${left} more characters, which an export as JSON has.</p>` : "";
  return `<pre>${escaped(text.slice(0, MAX_OUTPUT))}</pre>${more}`;
}

/** Only what cannot carry a script. */
function imageHtml({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string {
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(data);
  if (!isPicture) return `<p class="note">[image ${escaped(mimeType)}]</p>`;
  return `<p><img alt="" src="data:${mimeType};base64,${data.replace(/\s/g, "")}"></p>`;
}

function folded(title: string, inner: string): string {
  return `<details class="thought"><summary><span>${escaped(title)}</span></summary>\n${inner}\n</details>`;
}
