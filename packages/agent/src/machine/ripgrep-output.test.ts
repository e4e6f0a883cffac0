import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputReader } from "./ripgrep-output.ts";

type Told = [path: string, line: number, text: string] | [binary: string];

function read(chunks: readonly Buffer[], limit = Number.POSITIVE_INFINITY): Told[] {
  const told: Told[] = [];
  const reader = createOutputReader({
    onMatch(path, line, text) {
      told.push([path, line, text]);
      return told.length < limit;
    },
    onBinary: (path) => void told.push([path]),
  });
  for (const chunk of chunks) if (!reader.write(chunk)) return told;
  reader.end();
  return told;
}

const whole = (text: string): Buffer[] => [Buffer.from(text)];
const warning = (path: string): string =>
  `${path}: WARNING: stopped searching binary file after match (found "\\0" byte around offset 12)\n`;

test.each<[title: string, output: string, told: Told[]]>([
  ["nothing", "", []],
  ["one match", "./a.ts\x001:1:x\n", [["./a.ts", 1, "x"]]],
  ["colons in names and lines", "./a:1:2\x0012:3:x: y\n", [["./a:1:2", 12, "x: y"]]],
  ["a newline in a name", "./a\nb\x002:1:x\n", [["./a\nb", 2, "x"]]],
  ["an ending of two characters", "./a\x002:1:x\r\n", [["./a", 2, "x"]]],
  [
    "a file that is binary after all",
    `./a\x001:1:x\n${warning("./a")}./b\x001:1:y\n`,
    [["./a", 1, "x"], ["./a"], ["./b", 1, "y"]],
  ],
  ["a warning at the end", `./a\x001:1:x\n${warning("./a")}`, [["./a", 1, "x"], ["./a"]]],
  ["a line that only looks like one", `./a\x001:1:${warning("./b")}`, [["./a", 1, warning("./b").trimEnd()]]],
])("%s", (_title, output, told) => {
  expect(read(whole(output))).toEqual(told);
});

test.each([
  ["near the start", 1, `${"x".repeat(400)}…`],
  ["in the middle", 501, `…${"x".repeat(100)}M${"x".repeat(299)}…`],
  ["at the end", 1000, `…${"x".repeat(100)}M`],
])("shows what is around the match of a long line: %s", (_title, column, shown) => {
  const line = `${"x".repeat(column - 1)}M${"x".repeat(1000 - column)}`;

  expect(read(whole(`./a\x001:${column}:${line}\n`))).toEqual([
    ["./a", 1, column === 1 ? `M${shown.slice(1)}` : shown],
  ]);
});

test("cuts between characters", () => {
  const line = "é".repeat(1000);
  const [[, , shown = ""] = []] = read(whole(`./a\x001:1002:${line}\n`)) as [string, number, string][];

  expect(shown).toMatch(/^…é+…$/);
});

test("tells the same in whatever pieces it comes", () => {
  const output = Buffer.from(
    `./ä\x001:1:${"ü".repeat(600)}\n./b\nc\x0012:700:${"y".repeat(900)}\r\n${warning("./b\nc")}./d\x003:1:z\n`,
  );
  const expected = read([output]);
  expect(expected).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.nat(output.length), { maxLength: 30 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), output.length];
      expect(read(at.slice(1).map((end, piece) => output.subarray(at[piece], end)))).toEqual(expected);
    }),
  );
});

test("stops when that is enough", () => {
  expect(read(whole("./a\x001:1:x\n./a\x002:1:x\n./a\x003:1:x\n"), 2)).toHaveLength(2);
});
