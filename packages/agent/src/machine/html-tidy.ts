// Prepares a page for reading: drops what is not content, makes links whole, closes what was left open. Walks the text
// once and keeps depth and widths bounded, so that a hostile page costs no more than a long one.

import { BLOCKS, DROPPED, ENDS_PARAGRAPH, KEPT, LINES, PEERS, RAW, RENAMED, VOID } from "./html-element.ts";
import { Pieces, type Written } from "./html-pieces.ts";
import { type Attributes, after, attribute, languageClass, readTag, type Tag } from "./html-tag.ts";

export interface TidyPage {
  /** One after the other; each is short, well-formed, of few kinds of elements, and attributes are quoted. */
  readonly pieces: readonly string[];
  readonly title?: string | undefined;
  readonly scripts: number;
  /** Of text that is seen. */
  readonly chars: number;
  /** There was more. */
  readonly isCut: boolean;
}

const MAX_DEPTH = 48;
const MAX_COLUMNS = 40;
const MAX_TITLE_CHARS = 300;
/** A `main` with less than this is not where the content is. */
const LEAST_MAIN_CHARS = 200;

interface Open extends Written {
  readonly name: string;
  readonly isDropped: boolean;
  columns: number;
}

/** `drops: "nothing"` keeps what is usually navigation, for pages that consist of it. */
export function tidyHtml(
  html: string,
  options: { readonly baseUrl: string; readonly maxChars: number; readonly drops: "clutter" | "nothing" },
): TidyPage {
  const walk = new Walk(options);
  for (let at = 0; at < html.length && !walk.isFull; ) {
    const tagAt = html.indexOf("<", at);
    walk.text(html.slice(at, tagAt === -1 ? undefined : tagAt));
    if (tagAt === -1) break;
    at = walk.markup(html, tagAt);
  }
  return walk.end();
}

class Walk {
  readonly #baseUrl: string;
  readonly #maxChars: number;
  readonly #dropsClutter: boolean;
  readonly #open: Open[] = [];
  readonly #pieces = new Pieces(this.#open);
  readonly #counts = new Map<string, number>();
  #chars = 0;
  #dropped = 0;
  #scripts = 0;
  #title: string | undefined;
  #main: { from: number; to: number | undefined; chars: number; depth: number } | undefined;

  constructor({ baseUrl, maxChars, drops }: Parameters<typeof tidyHtml>[1]) {
    this.#baseUrl = baseUrl;
    this.#maxChars = maxChars;
    this.#dropsClutter = drops === "clutter";
  }

  get isFull(): boolean {
    return this.#pieces.written >= this.#maxChars;
  }

  text(text: string): void {
    if (text === "" || this.#dropped > 0) return;
    const plain = this.#pieces.isPreformatted ? text.replace(/[^\S\n]{200,}/g, " ") : text.replace(/\s+/g, " ");
    const visible = plain.trim().length;
    this.#chars += visible;
    if (this.#main !== undefined && this.#main.to === undefined) this.#main.chars += visible;
    const left = Math.max(this.#maxChars - this.#pieces.written, 0);
    this.#pieces.writeText(plain.slice(0, left).replaceAll(">", "&gt;"));
  }

  /** Takes what begins at `at` with "<", and answers where it ends. */
  markup(html: string, at: number): number {
    if (html.startsWith("<!--", at)) return after(html, "-->", at + 4);
    const next = html[at + 1] ?? "";
    if (next === "!" || next === "?") return after(html, ">", at);
    const [, slash = "", name = ""] = TAG.exec(html.slice(at, at + 40)) ?? [];
    if (name === "") {
      this.text("&lt;");
      return at + 1;
    }
    const tag = readTag(html, at + 1 + slash.length + name.length);
    if (slash === "") return this.#start(name.toLowerCase(), tag, html);
    this.#end(name.toLowerCase());
    return tag.end;
  }

  end(): TidyPage {
    const isCut = this.isFull;
    while (this.#open.length > 0) this.#close();
    const main = this.#main !== undefined && this.#main.chars >= LEAST_MAIN_CHARS ? this.#main : undefined;
    return {
      pieces: this.#pieces.texts(main?.from, main?.to),
      title: this.#title,
      scripts: this.#scripts,
      chars: main?.chars ?? this.#chars,
      isCut,
    };
  }

  #start(name: string, { attributes, end }: Tag, html: string): number {
    if (name === "script") this.#scripts++;
    if (RAW.has(name)) return this.#raw(name, html, end);
    if (VOID.has(name)) {
      this.#empty(name, attributes);
      return end;
    }
    this.#endPeers(name);
    if (this.#open.length >= MAX_DEPTH * 4) return end;
    const isDropped = this.#isDropped(name, attributes);
    const written = isDropped || this.#dropped > 0 ? undefined : this.#writtenAs(name);
    const tag = written === undefined ? "" : `<${written}${this.#attributesOf(written, attributes)}>`;
    const isMain = (name === "main" || attributes.role === "main") && this.#main === undefined && this.#dropped === 0;
    if (isMain) this.#pieces.split();
    this.#open.push({ name, written, tag, isDropped, columns: 0 });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (isDropped) this.#dropped++;
    if (name === "code" && this.#pieces.isPreformatted) this.#pieces.setLanguage(attributes.class);
    if (tag !== "") this.#pieces.write(tag, "tag");
    if (written === "pre") this.#pieces.beginCode(attributes.class);
    if (isMain) this.#main = { from: this.#pieces.index, to: undefined, chars: 0, depth: this.#open.length };
    return end;
  }

  #raw(name: string, html: string, from: number): number {
    const closing = new RegExp(`</${name}[\\s/>]`, "gi");
    closing.lastIndex = from;
    const at = closing.exec(html)?.index ?? html.length;
    if (name === "title" && this.#title === undefined) {
      this.#title = html
        .slice(from, Math.min(at, from + MAX_TITLE_CHARS))
        .replace(/\s+/g, " ")
        .trim();
    }
    if (name === "textarea" || name === "xmp") this.text(html.slice(from, at).replaceAll("<", "&lt;"));
    return after(html, ">", at);
  }

  #empty(name: string, attributes: Attributes): void {
    if (this.#dropped > 0) return;
    if (name === "br") this.#pieces.write(this.#pieces.isPreformatted ? "\n" : "<br>");
    if (name === "hr") this.#pieces.write("<hr>");
    if (name === "img" && attributes.alt?.trim()) this.#pieces.write(`<img${this.#attributesOf("img", attributes)}>`);
  }

  #endPeers(name: string): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    const isPeer = PEERS[name] !== undefined && PEERS[name] === PEERS[top.name];
    const isRow = name === "tr" && (top.name === "td" || top.name === "th");
    if (isPeer || isRow || (top.name === "p" && ENDS_PARAGRAPH.has(name))) this.#close();
    if (isRow && this.#open.at(-1)?.name === "tr") this.#close();
  }

  #end(name: string): void {
    if ((this.#counts.get(name) ?? 0) === 0) return;
    const at = this.#open.findLastIndex((open) => open.name === name);
    while (this.#open.length > at) this.#close();
  }

  #close(): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    this.#counts.set(open.name, (this.#counts.get(open.name) ?? 1) - 1);
    const isMain = this.#main !== undefined && this.#main.to === undefined && this.#main.depth > this.#open.length;
    if (open.isDropped) this.#dropped--;
    if (this.#pieces.isPreformatted && open.written === undefined && LINES.has(open.name)) this.#pieces.write("\n");
    if (open.written === "pre") this.#pieces.endCode();
    if (open.written !== undefined) this.#pieces.write(`</${open.written}>`, "tag");
    if (isMain && this.#main !== undefined) {
      this.#pieces.split();
      this.#main.to = this.#pieces.index;
    }
  }

  #isDropped(name: string, attributes: Attributes): boolean {
    if (name === "template" || name === "head" || name === "svg") return true;
    if (attributes.hidden !== undefined || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? "")) {
      return true;
    }
    if (!this.#dropsClutter) return false;
    return DROPPED.has(name) || attributes["aria-hidden"] === "true" || attributes.role === "navigation";
  }

  #writtenAs(name: string): string | undefined {
    if (this.#open.length >= MAX_DEPTH || this.#pieces.isPreformatted) return undefined;
    if (name === "td" || name === "th") {
      const row = this.#open.at(-1);
      if (row !== undefined && ++row.columns > MAX_COLUMNS) return undefined;
    }
    return KEPT.has(name) ? name : BLOCKS.has(name) ? "div" : RENAMED[name];
  }

  #attributesOf(written: string, attributes: Attributes): string {
    switch (written) {
      case "a":
        return attribute("href", this.#whole(attributes.href));
      case "img":
        return attribute("src", this.#whole(attributes.src)) + attribute("alt", attributes.alt);
      case "code":
        return attribute("class", languageClass(attributes.class));
      default:
        return "";
    }
  }

  /** Links that are no places are left out. */
  #whole(link: string | undefined): string | undefined {
    if (link === undefined || link === "" || link.startsWith("#") || !URL.canParse(link, this.#baseUrl))
      return undefined;
    const url = new URL(link, this.#baseUrl);
    return /^(https?|mailto|ftp):$/.test(url.protocol) ? url.href : undefined;
  }
}

const TAG = /^<(\/?)([a-zA-Z][\w:-]{0,30})(?=[\s/>]|$)/;
