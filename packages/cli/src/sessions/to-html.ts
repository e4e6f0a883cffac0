// A transcript as one HTML file that needs no other, loads nothing and runs nothing. Every text is escaped; a policy in
// the page forbids the rest.

import type { CallContent, PromptPart } from "@agentao/agent";
import { toClock } from "../when.ts";
import { contentText, promptText, shownOf } from "./content-text.ts";
import { toDiffLines } from "./diff-lines.ts";
import { callTitle, factsOf, itemsToShow, notesOn, titleOf } from "./facts.ts";
import { escaped, markdownHtml } from "./markdown-html.ts";
import { PLAN } from "./to-text.ts";
import { type CallItem, describeOutcome, type Item, type Transcript, type Turn } from "./transcript.ts";

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --dim: #5c5c5c; --line: #ddd; --card: #f6f6f6;
  --you: #0b5cad; --bad: #a3201f; --good: #1c6b34; --minus: #fbe4e3; --plus: #e2f3e5; }
@media (prefers-color-scheme: dark) { :root { --back: #151515; --text: #e6e6e6; --dim: #a0a0a0; --line: #383838;
  --card: #1f1f1f; --you: #7db8f5; --bad: #f08a88; --good: #7fce95; --minus: #43201f; --plus: #1d3a25; } }
body { background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; max-width: 52rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1rem; color: var(--you); margin: 2.5rem 0 .3rem; border-top: 1px solid var(--line);
  padding-top: 1rem; } time, dt, .note { color: var(--dim); font-weight: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dd { margin: 0; }
.prose { white-space: pre-wrap; margin: .6rem 0; } .note { margin: .2rem 0; font-size: .9rem; }
pre { background: var(--card); padding: .6rem .8rem; overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace;
  white-space: pre-wrap; margin: .5rem 0; border-radius: 4px; }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin: .7rem 0; }
summary { cursor: pointer; } .failed > summary { color: var(--bad); } .done > summary { color: var(--good); }
del, ins { text-decoration: none; display: block; } del { background: var(--minus); } ins { background: var(--plus); }
img { max-width: 100%; } ul:not(.list) { list-style: none; padding: 0; } h3 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
li.prose { margin: .1rem 0; } code { font: .9em ui-monospace, monospace; }`;

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
<title>${title}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<dl>${facts.join("\n")}</dl>
${transcript.turns.map(turnHtml).join("\n")}
</main>
</body>
</html>
`;
}

function turnHtml(turn: Turn): string {
  const { at, prompt, outcome } = turn;
  const how = describeOutcome(outcome);
  const time = `<time datetime="${new Date(at).toISOString()}">${toClock(at)}</time>`;
  return `<section>
<h2>You ${time}</h2>
${prompt.map(partHtml).join("\n")}
${itemsToShow(turn).map(itemHtml).join("\n")}
${how === undefined ? "" : `<p class="note">${escaped(how)}</p>`}
</section>`;
}

function partHtml(part: PromptPart): string {
  return part.type === "image" ? imageHtml(part) : plain(promptText([part]));
}

function itemHtml(item: Item): string {
  switch (item.type) {
    case "text":
      return markdownHtml(item.text);
    case "reasoning":
      return folded("Thought", markdownHtml(item.text));
    case "call":
      return callHtml(item);
    case "plan":
      return `<ul>${item.entries.map(({ status, content }) => `<li>${PLAN[status] ?? "[ ]"} ${escaped(content)}</li>`).join("")}</ul>`;
    case "summary":
      return folded("Summary of what was before", markdownHtml(item.text));
    case "remark":
      return `<p class="note">${escaped(item.text)}</p>`;
    default:
      return "";
  }
}

function callHtml(item: CallItem): string {
  const notes = notesOn(item).map((note) => `<p class="note">${escaped(note)}</p>`);
  const state = item.failed === true ? "failed" : item.failed === false ? "done" : "open";
  return `<details class="${state}">
<summary>${escaped(callTitle(item))} <code>${escaped(item.call.name)}</code></summary>
${[...notes, ...shownOf(item).map(contentHtml)].join("\n")}
</details>`;
}

function contentHtml(content: CallContent): string {
  if (content.type === "image") return imageHtml(content);
  if (content.type !== "diff") return `<pre>${escaped(contentText(content))}</pre>`;
  const lines = toDiffLines(content.oldText, content.newText).map(({ mark, text }) => {
    const tag = mark === "-" ? "del" : mark === "+" ? "ins" : "span";
    return `<${tag}>${escaped(`${mark}${text}`)}</${tag}>${tag === "span" ? "\n" : ""}`;
  });
  return `<p class="note">${escaped(content.path)}</p><pre>${lines.join("")}</pre>`;
}

/** Only what cannot carry a script. */
function imageHtml({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string {
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(data);
  if (!isPicture) return `<p class="note">[image ${escaped(mimeType)}]</p>`;
  return `<p><img alt="" src="data:${mimeType};base64,${data.replace(/\s/g, "")}"></p>`;
}

function folded(title: string, inner: string): string {
  return `<details><summary>${escaped(title)}</summary>\n${inner}\n</details>`;
}

/** What a person wrote is shown as it was written. */
function plain(text: string): string {
  return text.trim() === "" ? "" : `<div class="prose">${escaped(text.trim())}</div>`;
}
