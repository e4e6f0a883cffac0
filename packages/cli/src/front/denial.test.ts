import { expect, test } from "vitest";
import { denialIn } from "./denial.ts";

const name = "_agentao.cn/denial";

test.each<[string, Record<string, unknown> | null | undefined, ReturnType<typeof denialIn>]>([
  ["nothing", undefined, undefined],
  ["no extension", null, undefined],
  ["another extension", { other: 1 }, undefined],
  ["a word", { [name]: "no" }, undefined],
  ["no reason", { [name]: { by: "person" } }, undefined],
  ["a person", { [name]: { by: "person", because: "no" } }, { by: "person", because: "no" }],
  [
    "a rule of somebody",
    { [name]: { by: "rule", because: "a rule (r) says deny", rule: "r" } },
    { by: "rule", because: "a rule (r) says deny", rule: "r" },
  ],
  [
    "what nobody can allow",
    { [name]: { by: "rule", because: "it would remove everything", rule: "hardline" } },
    { by: "rule", because: "it would remove everything" },
  ],
])("%s", (_, meta, expected) => {
  expect(denialIn(meta)).toEqual(expected);
});
