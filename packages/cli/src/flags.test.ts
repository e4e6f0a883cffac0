import { expect, test } from "vitest";
import { type Asked, parseFlags } from "./flags.ts";

test.each<[string, Asked]>([
  ["", { type: "help" }],
  ["--help", { type: "help" }],
  ["-V", { type: "version" }],
  ["--acp", { type: "acp" }],
  ["--acp --stdio", { type: "acp" }],
  ["--acp --resume", { type: "acp", resume: { id: undefined } }],
  ["--acp --resume one", { type: "acp", resume: { id: "one" } }],
  ["--acp --resume=one", { type: "acp", resume: { id: "one" } }],
  ["doctor", { type: "command", name: "doctor", args: [] }],
  ["doctor --json", { type: "command", name: "doctor", args: ["--json"] }],
  ["--acp doctor", { type: "wrong", problem: 'unexpected argument "doctor"' }],
  ["--json", { type: "wrong", problem: 'unknown option "--json"' }],
])("agentao %s", (line, asked) => {
  expect(parseFlags(line.split(" ").filter((word) => word !== ""))).toEqual(asked);
});
