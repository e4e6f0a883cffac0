import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDotEnv } from "./dot-env.ts";

test.each<[string, string, Record<string, string>]>([
  ["a value", "A=1", { A: "1" }],
  ["spaces around everything", "  A =  1  \n", { A: "1" }],
  ["several lines", "A=1\nB=2\n", { A: "1", B: "2" }],
  ["lines of Windows", "A=1\r\nB='2'\r\n", { A: "1", B: "2" }],
  ["export", "export A=1\n\texport\tB=2", { A: "1", B: "2" }],
  ["comments", "# A=1\n  # B=2\nC=3 # three\n", { C: "3" }],
  ["a # inside a value", "A=a#b\nB='# no comment'", { A: "a#b", B: "# no comment" }],
  ["nothing", "A=\nB=''\nC=# none", { A: "", B: "", C: "" }],
  ["single quotes as they are", "A='a\\n$B \"c\"'", { A: 'a\\n$B "c"' }],
  ["double quotes with escapes", 'A="a\\nb\\t\\"c\\" \\\\ \\$d"', { A: 'a\nb\t"c" \\ $d' }],
  ["other backslashes as they are", 'A="C:\\dir\\x"', { A: "C:\\dir\\x" }],
  ["back quotes", 'A=`it\'s "so"`', { A: 'it\'s "so"' }],
  ["quoted values of several lines", "A=\"one\ntwo\"\nB='x\ny'\nC=3", { A: "one\ntwo", B: "x\ny", C: "3" }],
  ["a comment after a quoted value", "A='1' # one\nB=2", { A: "1", B: "2" }],
  ["quotes inside a bare value", "A=it's\nB=2", { A: "it's", B: "2" }],
  ["a quote that is never closed", 'A="one\nB=2', { A: '"one', B: "2" }],
  ["words after a quote as part of the value", "A='1'2\nB=3", { A: "'1'2", B: "3" }],
  ["an equals sign in a value", "A=b=c==", { A: "b=c==" }],
  ["the later of two", "A=1\nA=2", { A: "2" }],
  ["nothing expanded", `A=1\nB=$A\nC=\${A}\nD='\`'\nE=$(date)`, { A: "1", B: "$A", C: `\${A}`, D: "`", E: "$(date)" }],
  ["a byte order mark", "\uFEFFA=1", { A: "1" }],
  ["no NUL", "A=1\u00002", { A: "12" }],
  ["no lines without sense", "just words\n=1\n1A=2\nA B=3\nC=4", { C: "4" }],
  ["names with dots and dashes", "a.b-c_1=2", { "a.b-c_1": "2" }],
])("reads %s", (_, text, variables) => {
  expect(parseDotEnv(text)).toEqual(variables);
});

test("a dangerous name is a name like any other", () => {
  const variables = parseDotEnv("__proto__=1\nconstructor=2");
  expect(Object.entries(variables)).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
  expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
});

test("any value in single quotes comes back", () => {
  const value = fc.string().filter((text) => !/['\0\r]/.test(text));
  fc.assert(
    fc.property(value, value, (one, two) => {
      expect(parseDotEnv(`A='${one}'\nB='${two}'\n`)).toEqual({ A: one, B: two });
    }),
  );
});

test("a long text of openings is read before the test gives up", () => {
  for (const piece of ['A="\\', "A='", "export ", "A=`", " A=1 #", "\t", 'A="x"y\n']) {
    expect(parseDotEnv(piece.repeat(100_000))).toBeTypeOf("object");
  }
});
