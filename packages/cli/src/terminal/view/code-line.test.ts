import { expect, test } from "vitest";
import { codeLine, codeLines } from "./code-line.ts";
import { createPaint } from "./paint.ts";

const mark = (name: string) => (text: string) => `<${name} ${text}>`;
const paint = {
  ...createPaint(true),
  quiet: mark("comment"),
  good: mark("string"),
  code: mark("keyword"),
  bad: mark("removed"),
  accent: mark("place"),
  strong: mark("file"),
};

test.each<[string, readonly string[], readonly string[]]>([
  ["ts", ["const a = 'b'; // c"], ["<keyword const> a = <string 'b'>; <comment // c>"]],
  ["ts", ['x("//", "\\"if")'], ['x(<string "//">, <string "\\"if">)']],
  ["js", ["/* if", " * for */ if"], ["<comment /*><comment  if>", "<comment  * for */> <keyword if>"]],
  ["js", ["`a b", "if` + 1"], ["<string `><string a b>", "<string if`> + 1"]],
  ["js", ["a.if = if"], ["a.if = <keyword if>"]],
  ["rust", ["fn f<'a>(c: &'a str) { 'x' }"], ["<keyword fn> f<'a>(c: &'a str) { <string 'x'> }"]],
  ["python", ['"""If', 'not""" if'], ['<string """><string If>', '<string not"""> <keyword if>']],
  ["sh", ['echo "$#" a#b # c'], ['echo <string "$#"> a#b <comment # c>']],
  ["sql", ["SELECT a FROM b -- c"], ["<keyword SELECT> a <keyword FROM> b <comment -- c>"]],
  ["json", ['{"a": true, "b": [1, null]}'], ['{<string "a">: <keyword true>, <string "b">: [1, <keyword null>]}']],
  [
    "diff",
    ["--- a", "+++ b", "@@ -1 +1 @@", "-old", "+new", " same"],
    ["<file --- a>", "<file +++ b>", "<place @@ -1 +1 @@>", "<removed -old>", "<string +new>", " same"],
  ],
  ["brainfuck", ["if + 'x'"], ["if + 'x'"]],
  ["", ["const a"], ["const a"]],
])("colours %s", (language, lines, expected) => {
  expect(codeLines(lines.join("\n"), language, paint)).toEqual(expected);
});

test("changes nothing where there is no colour", () => {
  expect(codeLine("const a", "ts", undefined, createPaint(false))).toEqual({ text: "const a", inside: undefined });
});
