import { expect, test } from "vitest";
import { type Asked, type Input, parseFlags } from "./flags.ts";

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
  ["--acp -p", { type: "wrong", problem: 'unknown option "-p"' }],
  ["--acp doctor", { type: "wrong", problem: 'unexpected argument "doctor"' }],
  ["--json", { type: "wrong", problem: 'unknown option "--json"' }],
])("agentao %s", (line, asked) => {
  expect(
    parseFlags(
      words(line),
      () => false,
      () => "nothing",
    ),
  ).toEqual(asked);
});

test.each<[Input, Asked]>([
  ["pipe", { type: "command", name: "run", args: [] }],
  ["terminal", { type: "command", name: "chat", args: [] }],
  ["nothing", { type: "help" }],
])("agentao alone, into a pipe, with %s to read from", (input, asked) => {
  const isTerminal = () => false;
  expect(parseFlags([], isTerminal, () => input)).toEqual(asked);
});

test.each<[string, string]>([
  ["--acp --mode plan", "--mode does not go with --acp"],
  ["--acp -c", "-c does not go with --acp"],
  ["--model a/b", "--model needs a terminal; agentao run takes it without one"],
  ["--continue x", "--continue needs a terminal; agentao run takes it without one"],
])("agentao %s, without a terminal, is told what it needs", (line, problem) => {
  expect(parseFlags(words(line), () => false)).toEqual({ type: "wrong", problem });
});

test("a prompt where a command is expected is told where it belongs", () => {
  const problem = 'there is no command "fix the bug"; did you mean agentao run "fix the bug"?';
  expect(parseFlags(["fix the bug"])).toEqual({ type: "wrong", problem });
});

test.each<[string, Asked]>([
  ["", { type: "command", name: "chat", args: [] }],
  ["--resume", { type: "command", name: "chat", args: ["--resume"] }],
  ["--model=a/b --cwd x", { type: "command", name: "chat", args: ["--model=a/b", "--cwd", "x"] }],
  ["-c", { type: "command", name: "chat", args: ["-c"] }],
  ["-m a/b", { type: "command", name: "chat", args: ["-m", "a/b"] }],
  ["-r one", { type: "command", name: "chat", args: ["-r", "one"] }],
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
