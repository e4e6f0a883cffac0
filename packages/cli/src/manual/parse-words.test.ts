import { expect, test } from "vitest";
import { wrap } from "../text/wrap.ts";
import type { Option } from "./command.ts";
import { parseWords } from "./parse-words.ts";

const options: readonly Option[] = [
  { name: "--all", summary: "" },
  { name: "--output", short: "-o", value: "FILE", summary: "" },
  { name: "--format", value: "FORMAT", choices: ["html", "json"], summary: "" },
];

test.each<[string, object, string[]]>([
  ["", {}, []],
  ["a b", {}, ["a", "b"]],
  ["a --all b", { "--all": true }, ["a", "b"]],
  ["-o x --format=html", { "--output": "x", "--format": "html" }, []],
  ["--output=-x", { "--output": "-x" }, []],
  ["-- --all", {}, ["--all"]],
  ["-", {}, ["-"]],
])("reads %s", (line, given, operands) => {
  expect(parseWords(line.split(" ").filter(Boolean), options)).toEqual({ options: given, operands });
});

test.each([
  ["--al", 'unknown option "--al"; did you mean --all?'],
  ["-x", 'unknown option "-x"'],
  ["--all=1", "--all takes no value"],
  ["--output", "--output needs a value: --output FILE"],
  ["--output --all", "--output needs a value: --output FILE"],
  ["--output=", "--output needs a value: --output FILE"],
  ["--format htm", '--format is one of html, json, not "htm"; did you mean html?'],
])("refuses %s", (line, problem) => {
  expect(() => parseWords(line.split(" "), options)).toThrow(problem);
});

test("wraps words, and leaves long ones whole", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("abcdefghij k", 4)).toEqual(["abcdefghij", "k"]);
  expect(wrap("", 4)).toEqual([""]);
});
