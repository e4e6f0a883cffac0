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
  ["-p hi", { type: "command", name: "run", args: ["hi"] }],
  ["--print=hi --model x", { type: "command", name: "run", args: ["hi", "--model", "x"] }],
  ["--mode plan -p hi", { type: "command", name: "run", args: ["--mode", "plan", "hi"] }],
  ["--acp -p", { type: "wrong", problem: 'unknown option "-p"; did you mean --acp?' }],
  ["--acp doctor", { type: "wrong", problem: 'unexpected argument "doctor"' }],
  ["--json", { type: "wrong", problem: 'unknown option "--json"' }],
])("agentao %s", (line, asked) => {
  expect(parseFlags(words(line), () => false)).toEqual(asked);
});

test.each<[string, Asked]>([
  ["", { type: "command", name: "chat", args: [] }],
  ["--resume", { type: "command", name: "chat", args: ["--resume"] }],
  ["--model=a/b --cwd x", { type: "command", name: "chat", args: ["--model=a/b", "--cwd", "x"] }],
  ["-c", { type: "command", name: "chat", args: ["-c"] }],
  ["--acp --resume one", { type: "acp", resume: { id: "one" } }],
  ["--resume one --acp", { type: "acp", resume: { id: "one" } }],
  ["--help", { type: "help" }],
  ["doctor", { type: "command", name: "doctor", args: [] }],
  ["--json", { type: "wrong", problem: 'unknown option "--json"' }],
])("agentao %s in a terminal", (line, asked) => {
  expect(parseFlags(words(line), () => true)).toEqual(asked);
});

function words(line: string): string[] {
  return line.split(" ").filter((word) => word !== "");
}
