// One tag of a page: its attributes as they are read, and as they are written again. Pure.

const MAX_ATTRIBUTES = 60;
const MAX_VALUE_CHARS = 2_000;

export type Attributes = Readonly<Record<string, string | undefined>>;

export interface Tag {
  readonly attributes: Attributes;
  /** After its ">". */
  readonly end: number;
}

/** Reads attributes from `at` on. */
export function readTag(html: string, at: number): Tag {
  const attributes: Record<string, string> = Object.create(null);
  let place = at;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    ATTRIBUTE.lastIndex = place;
    const [whole = "", name = "", double, single, bare] = ATTRIBUTE.exec(html) ?? [];
    if (name === "") break;
    place += whole.length;
    const value = (double ?? single ?? bare ?? "").slice(0, MAX_VALUE_CHARS);
    attributes[name.toLowerCase()] ??= decodeEntities(value);
  }
  return { attributes, end: after(html, ">", place) };
}

/** Sticky, and without a choice that could be taken back: each character is looked at a fixed number of times. */
const ATTRIBUTE = /[\s/]*([^\s/>="'<]{1,100})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s>"']{0,4000})))?/y;

function decodeEntities(value: string): string {
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

export function attribute(name: string, value: string | undefined): string {
  if (value === undefined) return "";
  const quoted = value.replace(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return ` ${name}="${quoted.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`;
}

export function languageClass(value: string | undefined): string | undefined {
  return /\blang(?:uage)?-[\w+#.-]{1,30}/.exec(value ?? "")?.[0].replace(/^lang-/, "language-");
}

export function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}
