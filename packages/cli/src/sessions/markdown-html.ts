// What models write, as HTML: headings, lists, code and emphasis. Everything is escaped first, and no link is made, so a
// page can be passed on. What is not understood is shown as it was written.

/** Fenced code stands in blocks of its own. */
export function markdownHtml(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const fence of text.matchAll(/^```[^\n]*\n([\s\S]*?)(?:^```[ \t]*$|(?![\s\S]))/gm)) {
    parts.push(blocks(text.slice(at, fence.index)), `<pre>${escaped(fence[1]?.replace(/\n$/, "") ?? "")}</pre>`);
    at = fence.index + fence[0].length;
  }
  return [...parts, blocks(text.slice(at))].filter((part) => part !== "").join("\n");
}

type Kind = "heading" | "bullets" | "numbers" | "prose";

const MARKS: readonly (readonly [Kind, RegExp])[] = [
  ["heading", /^#{1,6} +(?=\S)/],
  ["bullets", /^[-*] +(?=\S)/],
  ["numbers", /^\d{1,4}[.)] +(?=\S)/],
];

/** Lines of one kind that follow each other are one block. */
function blocks(text: string): string {
  const found: { kind: Kind; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const kind = MARKS.find(([, mark]) => mark.test(line))?.[0] ?? "prose";
    const last = found.at(-1);
    if (last?.kind === kind && kind !== "heading") last.lines.push(line);
    else if (last !== undefined && isContinued(last.kind, line)) last.lines.push(line);
    else found.push({ kind, lines: [line] });
  }
  return found
    .map(({ kind, lines }) => block(kind, lines))
    .filter((part) => part !== "")
    .join("\n");
}

/** An indented line below an entry of a list belongs to it. */
function isContinued(kind: Kind, line: string): boolean {
  return (kind === "bullets" || kind === "numbers") && /^\s+\S/.test(line);
}

function block(kind: Kind, lines: readonly string[]): string {
  switch (kind) {
    case "heading":
      return `<h3>${inline(withoutMark(lines[0] ?? ""))}</h3>`;
    case "bullets":
      return `<ul class="list">${entries(lines)}</ul>`;
    case "numbers":
      return `<ol start="${Number.parseInt(lines[0] ?? "1", 10)}">${entries(lines)}</ol>`;
    case "prose": {
      const text = lines.join("\n").trim();
      return text === "" ? "" : `<div class="prose">${inline(text)}</div>`;
    }
  }
}

function entries(lines: readonly string[]): string {
  const items: string[] = [];
  for (const line of lines) {
    if (/^\s/.test(line)) items.push(`${items.pop() ?? ""}\n${line}`);
    else items.push(withoutMark(line));
  }
  return items.map((item) => `<li class="prose">${inline(item)}</li>`).join("");
}

function withoutMark(line: string): string {
  return MARKS.reduce((left, [, mark]) => left.replace(mark, ""), line);
}

/** Code first: nothing in it is emphasis. */
function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) =>
      at % 2 === 1
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : escaped(part).replace(/\*\*(?=\S)([^*\n]{1,2000}?\S)\*\*|\*\*(\S)\*\*/g, "<strong>$1$2</strong>"),
    )
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML has no way to write most control characters. */
export function escaped(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, "").replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
