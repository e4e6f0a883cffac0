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

test("shows a session in a terminal: what was said, what was done, who allowed it", () => {
  const text = toText(whole, { colors: false, maxLines: 1, thoughts: false });
  expect(text).toContain("Fix the <login> test\n");
  expect(text).toContain("Cost        $0.0421\n");
  expect(text).toContain("Worked      10 s in 1 turn\n");
  expect(text).toContain(
    "✓ npm test (run_shell_command)\n  allowed by rule permissions.json#2: tests may run\n  took 1.0 s\n  │ 1 failed red\n  │ … 1 more line\n",
  );
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("I look first.");
  expect(toText(whole, { colors: true, maxLines: 1, thoughts: true })).toContain("I look first.");
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
  const text = toText(turn, { colors: false, maxLines: 9, thoughts: false });
  expect(text.match(/\[.\] step/g)).toEqual(["[x] step"]);
  expect(text).toContain("✗ rm x (run_shell_command)\n  denied by rule hardline\n  │ Denied: not run\n");
});

test("writes Markdown whose fences are longer than those inside", () => {
  const text = toDocument(fold([prompt("go"), called("cat a.md"), answered("````\nx\n````")]), "markdown");
  expect(text).toContain("`````\n````\nx\n````\n`````\n");
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
  ["same\n", "same\n", [" same"]],
])("finds the lines that changed: %j", (before, after, lines) => {
  expect(toDiffLines(before, after).map(({ mark, text }) => mark + text)).toEqual(lines);
});
