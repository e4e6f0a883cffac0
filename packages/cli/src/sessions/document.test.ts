import type { CallView, Entry } from "@agentao/agent";
import { expect, test } from "vitest";
import { toDiffLines } from "./diff-lines.ts";
import { toDocument } from "./export-session.ts";
import { answered, BEGAN, called, decided, prompt, said, wholeTurn } from "./stored-session.ts";
import { toText } from "./to-text.ts";
import { type Transcript, TranscriptFold } from "./transcript.ts";

function fold(bodies: readonly object[]): Transcript {
  const transcript = new TranscriptFold();
  const header = { type: "session", version: 1, id: "sess_1", cwd: "/project" };
  for (const [at, body] of [header, ...bodies].entries()) transcript.add({ at: BEGAN + at * 1000, ...body } as Entry);
  return transcript.transcript as Transcript;
}

const whole = fold(wholeTurn);

const plainly = { colors: false, maxLines: 9, maxColumns: 100, thoughts: false };

test("shows a session in a terminal: what was said, what was done, who allowed it", () => {
  const text = toText(whole, { ...plainly, maxLines: 1 });
  expect(text).toContain("Fix the <login> test\n");
  expect(text).toContain("Cost        $0.0421\n");
  expect(text).toContain("Worked      10 s in 1 turn\n");
  expect(text).toContain("Context     1,200 of 128,000 tokens in the last request\n");
  expect(text).toContain(
    "✓ npm test (run_shell_command)\n  allowed by rule permissions.json#2: tests may run\n  took 1.0 s\n  │ 1 failed red\n  │ … 1 more line\n",
  );
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("I look first.");
  expect(toText(whole, { ...plainly, colors: true, thoughts: true })).toContain("I look first.");
});

test("shows the last plan of a turn, and of a denied call who denied it once", () => {
  const plan = (status: string) => ({ type: "plan", entries: [{ content: "step", priority: "low", status }] });
  const denial = { ...decided({ allowed: false, rule: "hardline", because: "Denied: not run" }) };
  const turn = fold([
    prompt("go"),
    plan("pending"),
    called("rm x"),
    denial,
    answered("Denied: not run", true),
    plan("completed"),
  ]);
  const text = toText(turn, plainly);
  expect(text.match(/\[.\] step/g)).toEqual(["[x] step"]);
  expect(text).toContain("✗ rm x (run_shell_command)\n  denied by rule hardline\n  │ Denied: not run\n");
});

const ESCAPES = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202ered";

test("no word of a session moves the cursor, whatever it stands for", () => {
  const hostile = fold([
    prompt(ESCAPES),
    said(ESCAPES),
    called(ESCAPES, { name: ESCAPES }),
    decided({ because: ESCAPES, rule: ESCAPES }),
    answered(ESCAPES),
    { type: "plan", entries: [{ content: ESCAPES, priority: "low", status: "pending" }] },
    { type: "turn-ended", turnId: "turn_1", outcome: { type: "failed", fault: { message: ESCAPES } } },
  ]);
  const texts = [
    toText(hostile, { ...plainly, thoughts: true }),
    toDocument(hostile, "markdown"),
    toDocument(hostile, "html"),
  ];
  for (const text of texts) expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});

test("shows output as what is in its block of code, and bounds lines that have no end", () => {
  const turn = fold([prompt("go"), called("cat"), answered(`\`\`\`txt\n${"x".repeat(5000)}\nlast\n\`\`\``)]);
  expect(toText(turn, plainly)).toContain(`  │ ${"x".repeat(100)}… 4900 more characters\n  │ last\n`);
});

test("colours what an edit took away and what it put there", () => {
  const content = [{ type: "diff", path: "/a", oldText: "1\n2\n", newText: "1\n3\n" }] as const;
  const turn = fold([prompt("go"), called("Edit a", { content }), { type: "call-ended", callId: "call_1", told: [] }]);
  const text = toText(turn, { ...plainly, colors: true });
  expect(text).toContain("\u001b[31m-2\u001b[39m");
  expect(text).toContain("\u001b[32m+3\u001b[39m");
});

test("writes Markdown whose fences are longer than those inside", () => {
  const text = toDocument(fold([prompt("go"), called("cat a.md"), answered("It is:\n````\nx\n````")]), "markdown");
  expect(text).toContain("`````\nIt is:\n````\nx\n````\n`````\n");
  expect(text).toContain("### Call: cat a.md (`run_shell_command`)");
});

test("keeps a title in Markdown from meaning anything", () => {
  const text = toDocument(fold([prompt("[x](javascript:alert(1)) <b>")]), "markdown");
  expect(text).toMatch(/^# \\\[x\\\]\(javascript:alert\(1\)\) \\<b\\>\n/);
});

const HOSTILE = `</title><script>alert("1")</script><img src=x onerror='alert(2)'>`;

test("writes HTML in which nothing that was said is more than text", () => {
  const content = [{ type: "diff", path: HOSTILE, oldText: HOSTILE, newText: `${HOSTILE}!` }] as const;
  const html = toDocument(
    fold([
      prompt(HOSTILE),
      said(`${HOSTILE}\n\`\`\`${HOSTILE}\n${HOSTILE}`),
      called(HOSTILE, { name: HOSTILE, content } as Partial<CallView>),
      { type: "plan", entries: [{ content: HOSTILE, priority: "low", status: "pending" }] },
      { type: "title", title: HOSTILE },
    ]),
    "html",
  );
  expect(html).not.toMatch(/<script|<img|onerror='/);
  expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)");
});

test("writes one file of HTML that loads nothing, for light and dark", () => {
  const html = toDocument(whole, "html");
  expect(html).not.toMatch(/(?:src|href)=|@import|url\(/);
  expect(html).toContain("default-src 'none'");
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html).toContain("<pre>npm test &amp;&amp; echo &#39;&lt;ok&gt;&#39;</pre>");
  expect(html).toContain("allowed by rule permissions.json#2: tests may run");
});

test("colours an edit in HTML, says how much it changed, and leaves out what is far from it", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const content = [
    { type: "diff", path: "/a", oldText: lines.join("\n"), newText: lines.join("\n").replace("line 9", "changed") },
  ] as const;
  const html = toDocument(fold([prompt("go"), called("Edit a", { content })]), "html");
  expect(html).toContain("edit of /a, +1 −1");
  expect(html).toContain("<span> line 8</span><del>-line 9</del><ins>+changed</ins><span> line 10</span>");
  expect(html).not.toContain("line 3");
});

test("bounds what one call adds to a page, and says so", () => {
  const html = toDocument(fold([prompt("go"), called("cat"), answered("x".repeat(500_007))]), "html");
  expect(html).toContain("… 7 more characters, which an export as JSON has.");
  expect(html.length).toBeLessThan(510_000);
});

test("shows pictures that are pictures, and no others", () => {
  const image = (mimeType: string, data: string) => ({ type: "image", mimeType, data });
  const message = {
    role: "user",
    id: "m",
    parts: [image("image/png", "iVBO"), image("image/svg+xml", "PHN2"), image("image/png", '"x')],
  };
  const html = toDocument(fold([{ type: "prompt", turnId: "t", message }]), "html");
  expect(html.match(/<img[^>]*>/g)).toEqual(['<img alt="" src="data:image/png;base64,iVBO">']);
});

test("writes JSON that is the transcript", () => {
  expect(JSON.parse(toDocument(whole, "json")).session).toEqual(JSON.parse(JSON.stringify(whole)));
});

test.each<[string | null, string, string[]]>([
  [null, "a\nb\n", ["+a", "+b"]],
  ["1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n", [" 2", " 3", " 4", "-5", "+X", " 6", " 7", " 8"]],
  ["a\na\n", "a\n", [" a", "-a"]],
  ["same\n", "same\n", []],
  [
    "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
    "X\n2\n3\n4\n5\n6\n7\n8\nY\n",
    ["-1", "+X", " 2", " 3", " 4", "@ …", " 6", " 7", " 8", "-9", "+Y"],
  ],
])("finds the lines that changed: %j", (before, after, lines) => {
  expect(toDiffLines(before, after).map(({ mark, text }) => mark + text)).toEqual(lines);
});
