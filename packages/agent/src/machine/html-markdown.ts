// A page as Markdown, for reading: no escapes, no padding of tables, links whole.

import { setImmediate } from "node:timers/promises";
import type { NodeHtmlMarkdown, TranslatorConfigFactory } from "node-html-markdown";
import { tidyHtml } from "./html-tidy.ts";

export interface ReadablePage {
  readonly text: string;
  readonly title?: string | undefined;
  /** There is next to nothing to read before its scripts have run. */
  readonly needsScript: boolean;
  /** The page was longer than what is translated. */
  readonly isCut: boolean;
}

const MAX_CHARS = 600_000;
/** Ordinary pages take a tenth of it. */
const MAX_MS = 2_000;
const LEAST_CHARS = 200;
/** Fewer than this, and what was dropped was the page. */
const ALMOST_NOTHING = 40;
const NEVER = /(?!)/g;
const ASKS_FOR_SCRIPT =
  /(enable|requires?|turn on|without|need)\s.{0,40}javascript|javascript\s.{0,40}(enabled|required|disabled)/i;

/** Piece by piece, with time for everything else in between. Throws the signal's reason. */
export async function toMarkdown(html: string, baseUrl: string, signal: AbortSignal): Promise<ReadablePage> {
  const options = { baseUrl, maxChars: MAX_CHARS };
  const clean = tidyHtml(html, { ...options, drops: "clutter" });
  const page = clean.chars >= ALMOST_NOTHING ? clean : tidyHtml(html, { ...options, drops: "nothing" });
  const { NodeHtmlMarkdown } = await import("node-html-markdown");
  const translator = new NodeHtmlMarkdown(OPTIONS, { table });
  const parts: string[] = [];
  const until = performance.now() + MAX_MS;
  for (const piece of page.pieces) {
    if (performance.now() > until) break;
    parts.push(translate(piece, translator));
    await setImmediate();
    signal.throwIfAborted();
  }
  const text = parts.filter((part) => part !== "").join("\n\n");
  const isBare = page.chars < LEAST_CHARS;
  return {
    text,
    title: page.title === undefined || page.title === "" ? undefined : translate(page.title, translator),
    needsScript: isBare && page.scripts > 0 && (ASKS_FOR_SCRIPT.test(text) || page.chars < ALMOST_NOTHING),
    isCut: page.isCut || parts.length < page.pieces.length,
  };
}

const OPTIONS = {
  bulletMarker: "-",
  globalEscape: [NEVER, ""],
  lineStartEscape: [NEVER, ""],
  maxConsecutiveNewlines: 2,
} as const;

function translate(html: string, translator: NodeHtmlMarkdown): string {
  return translator
    .translate(html)
    .replace(/[^\S\n]{1,100}\n/g, "\n")
    .replace(/\]\([^()\s]{1,2000}\)/g, (link) => link.replaceAll("%5F", "_").replaceAll("%2A", "*"))
    .trim();
}

/** A cell's width says nothing to a model, and one long cell would make every row as long. */
const table: TranslatorConfigFactory = ({ visitor }) => ({
  surroundingNewlines: 2,
  childTranslators: visitor.instance.tableTranslators,
  postprocess: ({ content, node, nodeMetadata }) => {
    const caption = nodeMetadata.get(node)?.tableMeta?.caption;
    return caption === undefined ? toRows(content) : `${caption.replaceAll("__", "**")}\n\n${toRows(content)}`;
  },
});

function toRows(content: string): string {
  const rows = content
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .map((row) =>
      row
        .replace(/^\|/, "")
        .replace(/\|$/, "")
        .split(" |")
        .map((cell) => cell.trim()),
    );
  if (rows.length === 0) return "";
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(Array<string>(columns).fill("---")), ...body.map(line)].join("\n");
}
