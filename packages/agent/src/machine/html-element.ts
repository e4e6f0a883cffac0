// The elements of pages, in the kinds that matter to who reads them.

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
export const VOID = words("area base br col embed hr img input link meta param source track wbr");
/** Their content is no markup. */
export const RAW = words("script style title textarea xmp iframe noembed noframes");
export const DROPPED = words(
  "script style nav head template svg math canvas audio video object iframe button select dialog",
);
export const KEPT = words(
  "a b strong i em code del s strike p h1 h2 h3 h4 h5 h6 ul ol li pre blockquote table tr td th caption",
);
export const RENAMED: Readonly<Record<string, string>> = {
  kbd: "code",
  samp: "code",
  tt: "code",
  dt: "p",
  dd: "p",
  menu: "ul",
};
export const BLOCKS = words(
  "address article aside center details dir div dl fieldset figcaption figure footer form header hgroup legend main " +
    "section summary",
);
export const ENDS_PARAGRAPH = words("p h1 h2 h3 h4 h5 h6 ul ol li pre blockquote table div hr dl");
/** Each is a line of its own where code is shown. */
export const LINES = words("div p li tr");
/** Whose end may be left out before another of the kind. */
export const PEERS: Readonly<Record<string, string>> = { li: "li", tr: "tr", td: "td", th: "td", p: "p" };
