// What a search found, in the few words of it that are kept, whichever engine said them.

import { fieldOf } from "../json/fields.ts";

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

const MAX_TITLE_CHARS = 200;
const MAX_URL_CHARS = 2_000;
const MAX_SNIPPET_CHARS = 300;

/** What has no address on the web is left out. */
export function toHits(values: readonly unknown[]): readonly SearchHit[] {
  const hits = values.map((value): SearchHit => {
    const url = text(value, "url");
    const snippet = text(value, "description", "snippet", "content", "summary");
    return {
      title: bound(plain(text(value, "title", "name")), MAX_TITLE_CHARS) || url,
      url,
      snippet: bound(plain(snippet), MAX_SNIPPET_CHARS),
    };
  });
  return hits.filter(({ url }) => isWebUrl(url) && url.length <= MAX_URL_CHARS);
}

/** Without the marks and entities that engines put around what was searched for. */
function plain(text: string): string {
  return text
    .slice(0, 10 * MAX_SNIPPET_CHARS)
    .replace(/<\/?(strong|b|em|i|mark|span)(\s[^<>]{0,100})?>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

function bound(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text
    .slice(0, maxChars - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function text(value: unknown, ...names: readonly string[]): string {
  const found = names.map((name) => fieldOf(value, name)).find((one) => typeof one === "string" && one.trim() !== "");
  return typeof found === "string" ? found.trim() : "";
}
