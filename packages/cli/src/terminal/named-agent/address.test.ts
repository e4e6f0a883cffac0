import { expect, test } from "vitest";
import { parseAddress } from "./address.ts";

test.each<[string, ReturnType<typeof parseAddress>]>([
  ["@reviewer look at this", { name: "reviewer", words: "look at this" }],
  ["@re.view-er_2\n  two\nlines ", { name: "re.view-er_2", words: "two\nlines" }],
  ["@reviewer", { name: "reviewer", words: "" }],
  ["ask @reviewer", undefined],
  ["@src/main.ts is long", undefined],
  ["@./reviewer is a file", undefined],
  ['@"a b" is a file', undefined],
  ["@ reviewer", undefined],
  ["mail@reviewer now", undefined],
])("%j", (line, address) => {
  expect(parseAddress(line)).toEqual(address);
});
