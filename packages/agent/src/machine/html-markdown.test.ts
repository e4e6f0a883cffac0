// Pages as they are read: what stays, what goes, and that no page takes long.

import { expect, test } from "vitest";
import { toMarkdown } from "./html-markdown.ts";

const signal = new AbortController().signal;
const read = (html: string) => toMarkdown(html, "https://example.com/base/page", signal);
const textOf = async (html: string) => (await read(html)).text;

test.each([
  ["headings", "<h1>One <em>more</em></h1><h2>Two</h2><h6>Six</h6>", "# One _more_\n\n## Two\n\n###### Six"],
  ["paragraphs without ends", "<p>First\n  line<p>Second<br>next", "First line\n\nSecond\nnext"],
  ["links", '<a href="/a_b?x=1&amp;y=2">here</a>', "[here](https://example.com/a_b?x=1&y=2)"],
  ["relative links", "<a href=other>o</a> <a href='#top'>t</a>", "[o](https://example.com/base/other) t"],
  ["links to no place", '<a href="javascript:alert(1)">x</a> <a href="data:text/html,y">y</a>', "x y"],
  ["lists", "<ul><li>one<li>two<ul><li>deep</ul><li>three</ul>", "- one\n- two\n  - deep\n- three"],
  ["numbered lists", "<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"],
  ["code", "<p>call <code>snake_case(*x)</code></p>", "call `snake_case(*x)`"],
  ["blocks of code", '<pre><code class="language-ts">a &lt; b\n  c</code></pre>', "```ts\na < b\n  c\n```"],
  ["blocks without code", "<pre>a\n   b</pre>", "```\na\n   b\n```"],
  ["blocks of highlighted code", '<pre class="lang-py"><span>x</span> = 1<br>y</pre>', "```py\nx = 1\ny\n```"],
  ["lines of code", "<pre><div>a</div><div>b</div>c</pre>", "```\na\nb\nc\n```"],
  [
    "tables",
    "<table><tr><th>Name<th>Size<tr><td>a|b<td>1<tr><td>long cell<td><a href='/y'>why</a></table>",
    "| Name | Size |\n| --- | --- |\n| a\\|b | 1 |\n| long cell | [why](https://example.com/y) |",
  ],
  ["captions", "<table><caption>Cap</caption><tr><td>x</table>", "**Cap**\n\n| x |\n| --- |"],
  ["quotes", "<blockquote><p>one<p>two</blockquote>", "> one\n>\n> two"],
  [
    "images that say what they show",
    '<img src="/i.png" alt="A cat"><img src="/x.gif">',
    "![A cat](https://example.com/i.png)",
  ],
  ["entities", "<p>1 &lt; 2 &amp;&amp; &copy; &#8364; 中文</p>", "1 < 2 && © € 中文"],
  ["text that looks like Markdown", "<p>a_b * c # 1. [x]</p>", "a_b * c # 1. [x]"],
  ["a bare <", "<p>a < b and <3</p>", "a < b and <3"],
  ["ends without beginnings", "</div></p>text</b>", "text"],
  ["attributes without ends", '<p>before</p><a href="x', "before"],
])("translates %s", async (_name, html, expected) => {
  expect(await textOf(html)).toBe(expected);
});

test("drops what is not content, and what is hidden", async () => {
  const clutter =
    "<head><style>p{}</style></head><nav>Home</nav><script>'<p>code</p>'</script><svg><text>drawn</text></svg>" +
    '<div hidden>secret</div><div style="color:red; display : none">evil</div><span aria-hidden="true">*</span>' +
    "<template>later</template><!-- <p>comment</p> --><button>Buy</button><p>What is read, and long enough to be a page.</p>";
  expect(await textOf(clutter)).toBe("What is read, and long enough to be a page.");
});

test("reads only main where there is enough of it", async () => {
  const main = `<p>${"word ".repeat(60)}</p>`;
  const page = `<header>Site</header><main>${main}</main><footer>Foot</footer>`;
  expect(await textOf(page)).toBe("word ".repeat(60).trim());
  expect(
    await textOf("<header>Site</header><main>few</main><footer>A foot that is long enough to count.</footer>"),
  ).toBe("Site\n\nfew\n\nA foot that is long enough to count.");
});

test("keeps navigation where there is nothing else", async () => {
  expect(await textOf("<nav><a href='/a'>A</a></nav>")).toBe("[A](https://example.com/a)");
});

test("tells the title", async () => {
  expect((await read("<title>\n A &amp; B </title><p>x")).title).toBe("A & B");
  expect((await read("<p>x")).title).toBeUndefined();
});

test.each([
  ['<div id="root"></div><script src="app.js"></script>', true],
  ["<noscript>You need to enable JavaScript to run this app, sorry for that.</noscript><script></script>", true],
  ["<p>A short page that says what it has to say, and counts.</p><script>count()</script>", false],
  ["<p>x</p>", false],
])("knows whether %j needs its scripts: %s", async (html, expected) => {
  expect((await read(html)).needsScript).toBe(expected);
});

test("says when a page is longer than what is translated", async () => {
  const { text, isCut } = await read("<p>some words</p>".repeat(60_000));
  expect(isCut).toBe(true);
  expect(text.startsWith("some words\n\nsome words\n\n")).toBe(true);
});

test("loses nothing where it splits long pages, lists and code", async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `line${at}`);
  const found = async (html: string) => (await textOf(html)).match(/line\d+/g);
  expect(await found(`<main>${lines.map((line) => `<p>${line}</p>`).join("")}</main>`)).toEqual(lines);
  expect(await found(`<ul>${lines.map((line) => `<li>${line}`).join("")}</ul>`)).toEqual(lines);
  expect(await found(`<pre><code>${lines.join("\n")}</code></pre>`)).toEqual(lines);
  expect(await found(`<table>${lines.map((line) => `<tr><td>${line}`).join("")}</table>`)).toEqual(lines);
});

// Each of these takes minutes, or all memory, when it is translated as it is.
test.each([
  ["deep", "<div>".repeat(100_000)],
  ["deep quotes", `${"<blockquote>".repeat(5_000)}${"x\n".repeat(5_000)}`],
  ["line breaks", "<br>".repeat(100_000)],
  ["rows beside a long cell", `<table><tr><td>${"y".repeat(200_000)}${"<tr><td>x".repeat(20_000)}`],
  ["columns", `<table><tr>${"<td>".repeat(20_000)}${"<tr><td>".repeat(20_000)}`],
  ["tags without ends", "<a ".repeat(100_000)],
  ["quotes without ends", "<a x='".repeat(50_000)],
  ["spaces", `<p>${" ".repeat(1_000_000)}x`],
  ["ends", `${"<b>".repeat(150)}${"</i>".repeat(200_000)}`],
])(
  "gets through a page of %s",
  async (_name, html) => {
    expect((await read(html)).text.length).toBeLessThan(1_500_000);
  },
  20_000,
);

test("stops in the middle when the signal fires", async () => {
  const stop = new AbortController();
  const reading = toMarkdown("<p>some words</p>".repeat(30_000), "https://example.com/", stop.signal);
  stop.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});
