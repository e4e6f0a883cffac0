import { expect, test } from "vitest";
import type { CommandTable } from "../manual/command.ts";
import { collectWords } from "./collect.ts";
import { SHELLS, toScript } from "./script.ts";

const table: CommandTable = {
  told: {
    summary: "It's told",
    load: async () => ({
      help: "",
      options: [{ name: "--json", summary: "For programs" }],
      subcommands: [
        {
          name: "show",
          usage: "",
          summary: "Show: one",
          options: [{ name: "--format", short: "-f", value: "FORMAT", choices: ["html", "json"], summary: "" }],
          operand: "session",
        },
        { name: "test", usage: "", summary: "", options: [], operand: "server" },
        { name: "send", usage: "", summary: "", options: [], operand: "agent" },
      ],
      run: async () => 0,
    }),
  },
  read: {
    summary: "Read from help",
    choices: { "--mode": ["slow", "fast"] },
    load: async () => ({
      help: "Usage\n  read [--dry-run]\n\nOptions\n  --dry-run        Only say.\n  -o, --output FILE  Where.\n  --mode=MODE  How.\n",
      run: async () => 0,
    }),
  },
};

test("knows commands by what they name, or by what their help lists", async () => {
  const places = await collectWords(table);
  expect(places.map(({ path }) => path)).toEqual(["", "told", "told show", "told test", "told send", "read"]);
  expect(places[0]?.words).toEqual([
    { word: "told", summary: "It's told" },
    { word: "read", summary: "Read from help" },
  ]);
  expect(places[5]?.options).toEqual([
    { name: "--dry-run", summary: "Only say." },
    { name: "--output", short: "-o", value: "FILE", summary: "Where." },
    { name: "--mode", value: "MODE", choices: ["slow", "fast"], summary: "How." },
  ]);
});

test.each(SHELLS)("the script for %s has every command, subcommand, option and value", async (shell) => {
  const script = toScript(shell, await collectWords(table));
  for (const word of [
    "told",
    "read",
    "show",
    "format",
    "dry-run",
    "html",
    "fast",
    "acp",
    "--ids",
    "mcp list --names",
    "acp list --names",
  ]) {
    expect(script).toContain(word);
  }
});
