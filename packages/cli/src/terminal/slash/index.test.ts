import { expect, test } from "vitest";
import { answerUnknown, findSlashCommand, offeredCommands, slashCommands } from "./index.ts";

test.each<[string, string[], string | undefined]>([
  ["/help", ["help"], "help"],
  ["/model", ["model"], "model"],
  ["/model a/b", ["model"], "model"],
  ["/model a/b", [], "model"],
  ["/compact", ["compact"], undefined],
  ["/compact", [], undefined],
  ["/quit", [], "exit"],
  ["/memory", ["memory"], undefined],
  ["/usr/bin is a path", [], undefined],
  ["/wat", [], undefined],
  ["not /help", [], undefined],
])("%s with %j of the agent's is ours: %s", (line, theirs, name) => {
  expect(
    findSlashCommand(
      line,
      theirs.map((one) => ({ name: one })),
    )?.command.name,
  ).toBe(name);
});

test.each<[string, string | undefined]>([
  ["/bogus", "There is no command /bogus; /help shows them all."],
  ["/modle", "There is no command /modle; did you mean /model?"],
  ["/compac", "There is no command /compac; did you mean /compact?"],
  ["/compact", undefined],
  ["/compact keep it", undefined],
  ["/memory", "This agent has no /memory."],
  ["/memory add x", "This agent has no /memory."],
  ["/bogus words", undefined],
  ["/model", undefined],
  ["/quit", undefined],
  ["/etc/hosts", undefined],
  ["/etc is a folder", undefined],
  ["plain words", undefined],
])("%s of somebody who meant a command is answered: %s", (line, text) => {
  const reply = answerUnknown(line, [{ name: "compact" }]);
  expect(reply).toEqual(text === undefined ? undefined : { type: "note", severity: "warning", text });
});

test("offers each name once, the agent's words first", () => {
  const offered = offeredCommands([{ name: "diff", description: "Theirs", input: { hint: "[what]" } }]);
  expect(offered.filter(({ name }) => name === "diff")).toEqual([
    { name: "diff", description: "Theirs", hint: "[what]" },
  ]);
  expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
});

test("has every command that was promised", () => {
  const promised = "model mode plan cost sessions resume fork tools permissions diff export copy help clear exit";
  expect(slashCommands.map(({ name }) => name).sort()).toEqual(promised.split(" ").sort());
});
