// Prepares a page for reading: drops what is not content, makes links whole, closes what was left open. Walks the text
// once and keeps depth and widths bounded, so that a hostile page costs no more than a long one.

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
/** Longer pieces end where a block does; at the latest, anywhere. What translates them takes the square of their size. */
const PIECE = { chars: 4_000, tags: 300 };
const MAX_PIECE = { chars: 16_000, tags: 1_500 };
const MAX_COLUMNS = 40;
const MAX_TITLE_CHARS = 300;
/** A `main` with less than this is not where the content is. */
const LEAST_MAIN_CHARS = 200;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const VOID = words("area base br col embed hr img input link meta param source track wbr");
/** Their content is no markup. */
const RAW = words("script style title textarea xmp iframe noembed noframes");
const DROPPED = words("script style nav head template svg math canvas audio video object iframe button select dialog");
const KEPT = words(
  "a b strong i em code del s strike p h1 h2 h3 h4 h5 h6 ul ol li pre blockquote table tr td th caption",
);
const RENAMED: Readonly<Record<string, string>> = {
  kbd: "code",
  samp: "code",
  tt: "code",
  dt: "p",
  dd: "p",
  menu: "ul",
};
const BLOCKS = words(
  "address article aside center details dir div dl fieldset figcaption figure footer form header hgroup legend main " +
    "section summary",
);
const ENDS_PARAGRAPH = words("p h1 h2 h3 h4 h5 h6 ul ol li pre blockquote table div hr dl");
/** Each is a line of its own where code is shown. */
const LINES = words("div p li tr");
/** Whose end may be left out before another of the kind. */
const PEERS: Readonly<Record<string, string>> = { li: "li", tr: "tr", td: "td", th: "td", p: "p" };

interface Open {
  readonly name: string;
  /** How it is written, where it is written at all. */
  readonly written?: string | undefined;
  /** With its attributes. */
  readonly tag: string;
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
  readonly #pieces: string[][] = [[]];
  readonly #open: Open[] = [];
  readonly #counts = new Map<string, number>();
  #written = 0;
  #chars = 0;
  #dropped = 0;
  #preformatted = 0;
  #code = "<code>";
  #codeAt = { piece: 0, at: 0 };
  #size = { chars: 0, tags: 0 };
  #scripts = 0;
  #title: string | undefined;
  #main: { from: number; to: number | undefined; chars: number; depth: number } | undefined;

  constructor({ baseUrl, maxChars, drops }: Parameters<typeof tidyHtml>[1]) {
    this.#baseUrl = baseUrl;
    this.#maxChars = maxChars;
    this.#dropsClutter = drops === "clutter";
  }

  get isFull(): boolean {
    return this.#written >= this.#maxChars;
  }

  text(text: string): void {
    if (text === "" || this.#dropped > 0) return;
    const plain = this.#preformatted > 0 ? text.replace(/[^\S\n]{200,}/g, " ") : text.replace(/\s+/g, " ");
    const visible = plain.trim().length;
    this.#chars += visible;
    if (this.#main !== undefined && this.#main.to === undefined) this.#main.chars += visible;
    const whole = plain.slice(0, Math.max(this.#maxChars - this.#written, 0)).replaceAll(">", "&gt;");
    for (let at = 0; at < whole.length; ) {
      const end = cutAt(whole, at);
      this.#write(whole.slice(at, end));
      at = end;
    }
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
    const pieces = this.#pieces.slice(main?.from, main?.to).map((piece) => piece.join(""));
    return {
      pieces: pieces.filter((piece) => piece.trim() !== ""),
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
    if (isMain) this.#split();
    this.#open.push({ name, written, tag, isDropped, columns: 0 });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (isDropped) this.#dropped++;
    if (name === "code" && this.#preformatted > 0) this.#setLanguage(attributes.class);
    if (tag !== "") this.#write(tag, "tag");
    if (written === "pre") this.#beginCode(attributes.class);
    if (isMain) this.#main = { from: this.#pieces.length - 1, to: undefined, chars: 0, depth: this.#open.length };
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
    if (name === "br") this.#write(this.#preformatted > 0 ? "\n" : "<br>");
    if (name === "hr") this.#write("<hr>");
    if (name === "img" && attributes.alt?.trim()) this.#write(`<img${this.#attributesOf("img", attributes)}>`);
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
    if (this.#preformatted > 0 && open.written === undefined && LINES.has(open.name)) this.#write("\n");
    if (open.written === "pre") {
      this.#preformatted--;
      this.#pieces.at(-1)?.push("</code>");
    }
    if (open.written !== undefined) this.#write(`</${open.written}>`, "tag");
    if (isMain && this.#main !== undefined) {
      this.#split();
      this.#main.to = this.#pieces.length - 1;
    }
  }

  /** A block of code is `pre` and `code`, whichever of them the page uses. */
  #beginCode(itsClass: string | undefined): void {
    this.#preformatted++;
    this.#code = "<code>";
    this.#writeCode();
    this.#setLanguage(itsClass);
  }

  #writeCode(): void {
    this.#codeAt = { piece: this.#pieces.length - 1, at: this.#pieces.at(-1)?.length ?? 0 };
    this.#pieces.at(-1)?.push(this.#code);
  }

  #setLanguage(itsClass: string | undefined): void {
    const language = languageClass(itsClass);
    const piece = this.#pieces[this.#codeAt.piece];
    if (language === undefined || piece === undefined) return;
    this.#code = `<code${attribute("class", language)}>`;
    piece[this.#codeAt.at] = this.#code;
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
    if (this.#open.length >= MAX_DEPTH || this.#preformatted > 0) return undefined;
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

  #write(text: string, kind?: "tag"): void {
    this.#pieces.at(-1)?.push(text);
    this.#written += text.length;
    this.#size.chars += text.length;
    if (kind === "tag" || text.startsWith("<")) this.#size.tags++;
    const isBetween = this.#open.every(({ written = "div" }) => written === "div");
    if (exceeds(this.#size, MAX_PIECE) || (isBetween && exceeds(this.#size, PIECE))) this.#split();
  }

  /** What is open is closed at the end of the one piece, and opened again at the beginning of the next. */
  #split(): void {
    const open = this.#open.filter(({ written }) => written !== undefined);
    const isCode = this.#preformatted > 0;
    this.#pieces.at(-1)?.push(isCode ? "</code>" : "", ...open.map(({ written }) => `</${written}>`).reverse());
    this.#pieces.push(open.map(({ tag }) => tag));
    if (isCode) this.#writeCode();
    this.#size = { chars: 0, tags: 0 };
  }
}

/** Where a piece of a long text ends: after a line or a word, where there are any. */
function cutAt(text: string, from: number): number {
  if (text.length - from <= MAX_PIECE.chars) return text.length;
  const piece = text.slice(from, from + MAX_PIECE.chars);
  const border = piece.lastIndexOf(piece.includes("\n") ? "\n" : " ") + 1;
  // Without words, at least not inside of an entity or a character.
  return from + (border > 0 ? border : piece.replace(/(&[^;]{0,10}|[\ud800-\udbff])$/, "").length);
}

function exceeds(size: { chars: number; tags: number }, most: typeof PIECE): boolean {
  return size.chars >= most.chars || size.tags >= most.tags;
}

const TAG = /^<(\/?)([a-zA-Z][\w:-]{0,30})(?=[\s/>]|$)/;
