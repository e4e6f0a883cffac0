// One run of text as HTML: code, emphasis, links to the web. Everything is escaped.

import { toPlain } from "../text/plain.ts";

/** Code, `[words](address)`, a bare address. Nothing in them is emphasis. */
const TOKEN =
  /`([^`\n]+)`|\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,2000})\)|(https?:\/\/[^\s<>"'`()[\]]{1,2000}[^\s<>"'`()[\].,;:!?])/g;
const TOKEN_MARK = /\ue000(\d+)\ue001/g;

export function inlineHtml(text: string): string {
  const tokens: string[] = [];
  const held = text.replace(/[\ue000\ue001]/g, "").replace(TOKEN, (_, code, words, address, bare) => {
    tokens.push(code !== undefined ? `<code>${escaped(code)}</code>` : link(address ?? bare, words ?? bare));
    return `\ue000${tokens.length - 1}\ue001`;
  });
  return emphasised(escaped(held)).replace(TOKEN_MARK, (_, at) => tokens[Number(at)] ?? "");
}

function link(address: string, words: string): string {
  return `<a href="${escaped(address)}" rel="noreferrer noopener">${escaped(words)}</a>`;
}

function emphasised(html: string): string {
  return html
    .replace(/\*\*(?=\S)([^*\n]{0,500}?[^\s*])\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}?[^\s*])\*(?![\w*])/g, "<em>$1</em>")
    .replace(/(?<!\w)_(?=[^\s_])([^_\n]{0,500}?[^\s_])_(?!\w)/g, "<em>$1</em>")
    .replace(/~~(?=\S)([^~\n]{0,500}?\S)~~/g, "<s>$1</s>");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text, and no more than that: without what moves a cursor or turns the direction. */
export function escaped(text: string): string {
  return toPlain(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
