// What models write, as HTML: headings, lists, tables, quotations and code. What is not understood is shown as it was
// written. Nothing in the text becomes a tag, an attribute or an address of its own but links to the web.

import { escaped, inlineHtml } from "./inline-html.ts";

export function markdownHtml(text: string): string {
  return blocksHtml(text.split("\n"), 0);
}

/** Lists and quotations in each other, deeper than anybody writes. */
const MAX_DEPTH = 12;

/** What begins at a line, and how many lines it takes. */
interface Block {
  readonly html: string;
  readonly taken: number;
}

/** Nothing where no such block begins at that line. */
type Read = (lines: readonly string[], at: number, depth: number) => Block | undefined;

function blocksHtml(lines: readonly string[], depth: number): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const { html, taken } = readBlock(lines, at, depth);
    if (html !== "") parts.push(html);
    at += taken;
  }
  return parts.join("\n");
}

function readBlock(lines: readonly string[], at: number, depth: number): Block {
  for (const read of BLOCKS) {
    const found = read(lines, at, depth);
    if (found !== undefined) return found;
  }
  return readParagraph(lines, at);
}

function readBlank(lines: readonly string[], at: number): Block | undefined {
  return lines[at]?.trim() === "" ? { html: "", taken: 1 } : undefined;
}

/** A fence that is never closed holds all that follows. */
function readFence(lines: readonly string[], at: number): Block | undefined {
  const fence = FENCE.exec(lines[at] ?? "")?.[1];
  if (fence === undefined) return undefined;
  const isEnd = (line: string): boolean => line.trim().startsWith(fence) && /^(`+|~+)$/.test(line.trim());
  const length = countWhile(lines, at + 1, (line) => !isEnd(line));
  const inner = lines.slice(at + 1, at + 1 + length);
  return { html: `<pre>${escaped(inner.join("\n"))}</pre>`, taken: length + 2 };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const HEADING = /^(#{1,6}) +(\S.*)$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

function readHeading(lines: readonly string[], at: number): Block | undefined {
  const [, marks, title] = HEADING.exec(lines[at] ?? "") ?? [];
  if (marks === undefined || title === undefined) return undefined;
  // The page has the first two.
  const tag = `h${Math.min(6, marks.length + 2)}`;
  return { html: `<${tag}>${inlineHtml(title)}</${tag}>`, taken: 1 };
}

function readRule(lines: readonly string[], at: number): Block | undefined {
  return RULE.test(lines[at] ?? "") ? { html: "<hr>", taken: 1 } : undefined;
}

const QUOTE = /^ {0,3}> ?/;

function readQuote(lines: readonly string[], at: number, depth: number): Block | undefined {
  const taken = countWhile(lines, at, (line) => QUOTE.test(line));
  if (taken === 0 || depth >= MAX_DEPTH) return undefined;
  const inner = lines.slice(at, at + taken).map((line) => line.replace(QUOTE, ""));
  return { html: `<blockquote>${blocksHtml(inner, depth + 1)}</blockquote>`, taken };
}

/** Without blanks around it. */
const TABLE_RULE = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:?)?$/;

function readTable(lines: readonly string[], at: number): Block | undefined {
  const [head = "", rule = ""] = lines.slice(at, at + 2);
  if (!head.includes("|") || !TABLE_RULE.test(rule.trim())) return undefined;
  const aligned = cellsOf(rule).map(alignment);
  const length = countWhile(lines, at + 2, (line) => line.includes("|"));
  const rows = lines.slice(at + 2, at + 2 + length);
  const row = (line: string, tag: "th" | "td"): string =>
    `<tr>${cellsOf(line)
      .map((cell, column) => `<${tag}${aligned[column] ?? ""}>${inlineHtml(cell)}</${tag}>`)
      .join("")}</tr>`;
  const html = `<table><thead>${row(head, "th")}</thead><tbody>${rows.map((line) => row(line, "td")).join("")}</tbody></table>`;
  return { html, taken: length + 2 };
}

function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\||\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignment(rule: string): string {
  if (!rule.endsWith(":")) return "";
  return rule.startsWith(":") ? ' class="middle"' : ' class="right"';
}

const ENTRY = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;

function readList(lines: readonly string[], from: number, depth: number): Block | undefined {
  const [, margin = "", mark = ""] = ENTRY.exec(lines[from] ?? "") ?? [];
  if (mark === "" || depth >= MAX_DEPTH) return undefined;
  const isNumbered = /\d/.test(mark);
  const entries: string[][] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [whole = "", own = "", ownMark = ""] = ENTRY.exec(line) ?? [];
    const isEntry = ownMark !== "" && own.length <= margin.length && /\d/.test(ownMark) === isNumbered;
    const isBlank = line.trim() === "";
    const isInner = /^ /.test(line) && line.search(/\S/) > margin.length;
    if (isEntry) entries.push([line.slice(whole.length)]);
    else if (isInner) entries.at(-1)?.push(dedented(line, margin.length + mark.length + 1));
    else if (isBlank && goesOn(lines[at + 1], margin.length)) entries.at(-1)?.push("");
    else break;
  }
  const items = entries.map((entry) => `<li>${entryHtml(entry, depth)}</li>`).join("");
  const html = isNumbered ? `<ol start="${Number.parseInt(mark, 10)}">${items}</ol>` : `<ul>${items}</ul>`;
  return { html, taken: at - from };
}

/** Whether a list goes on behind an empty line. */
function goesOn(next: string | undefined, margin: number): boolean {
  return next !== undefined && next.trim() !== "" && (ENTRY.test(next) || next.search(/\S/) > margin);
}

function dedented(line: string, columns: number): string {
  return line.slice(Math.min(columns, line.search(/\S/)));
}

const TASK = /^\[([ xX])\] /;

/** Most entries are one line, and need no paragraph around it. */
function entryHtml([first = "", ...more]: readonly string[], depth: number): string {
  const task = TASK.exec(first)?.[1];
  const box = task === undefined ? "" : task === " " ? "☐ " : "☑ ";
  const prose = countWhile(more, 0, (line) => line.trim() !== "" && isProse(line));
  const text = [first.replace(TASK, ""), ...more.slice(0, prose)].join("\n");
  const below = blocksHtml(more.slice(prose), depth + 1);
  return `${box}${inlineHtml(text)}${below === "" ? "" : `\n${below}`}`;
}

function readParagraph(lines: readonly string[], at: number): Block {
  const taken = 1 + countWhile(lines, at + 1, (line) => line.trim() !== "" && isProse(line));
  const text = lines.slice(at, at + taken).join("\n");
  return { html: `<p>${inlineHtml(text.trim())}</p>`, taken };
}

function isProse(line: string): boolean {
  return ![FENCE, HEADING, RULE, QUOTE, ENTRY].some((mark) => mark.test(line));
}

const BLOCKS: readonly Read[] = [readBlank, readFence, readHeading, readRule, readQuote, readTable, readList];

/** How many lines in a row, from one of them on. */
function countWhile(lines: readonly string[], from: number, test: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && test(lines[at] ?? "")) at++;
  return at - from;
}
