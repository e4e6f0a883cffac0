import { expect, test } from "vitest";
import { parseFlags } from "../flags.ts";
import { help } from "../help.ts";
import { scriptedIo } from "../io/scripted-io.ts";
import { chooseSubcommand, parseWords } from "../manual/parse-words.ts";
import { parseAddition } from "../mcp/add-server.ts";
import { programOptions } from "../program-help.ts";
import { createHelp } from "./help.ts";
import { commands } from "./index.ts";
import { runCommand } from "./run-command.ts";

const names = Object.keys(commands);

test.each(names)("agentao --help lists %s with its summary", (name) => {
  const [first = ""] = (commands[name]?.summary ?? "").split(" ");
  expect(help).toMatch(new RegExp(`^  ${name} +${first}`, "m"));
});

test.each(names)("agentao %s --help has usage, options and examples", async (name) => {
  const io = scriptedIo();
  expect(await runCommand(name, ["--help"], io)).toBe(0);
  expect(io.said).toMatch(new RegExp(`^agentao ${name}: \\S`));
  expect(io.said).toMatch(/^Usage$/m);
  expect(io.said).toMatch(/ --[a-z]/);
  expect(io.said).toMatch(/^Examples$/m);
});

const MANUALS = ["completion", "config", "doctor", "help", "init", "mcp", "models", "sessions"];

test.each(MANUALS)(
  "agentao %s --help says what every option and exit code means, in lines of at most 100",
  async (name) => {
    const command = await commands[name]?.load();
    const text = command?.help ?? "";
    const options = [...(command?.options ?? []), ...(command?.subcommands ?? []).flatMap((one) => one.options)];
    for (const option of options) expect(text).toMatch(new RegExp(`^  (-\\w, )?${option.name}\\b.* {2}\\S`, "m"));
    for (const one of command?.subcommands ?? []) expect(text).toContain(`  agentao ${name} ${one.name}`);
    expect(text).toMatch(/^Exit codes\n {2}0 +\S/m);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  },
);

test.each(names)("agentao %s --help fits 100 columns", async (name) => {
  const help = (await commands[name]?.load())?.help ?? "";
  expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test.each(names)("agentao help %s is the same as its --help", async (name) => {
  const io = scriptedIo();
  expect(await createHelp(commands).run([name], io)).toBe(0);
  expect(io.said).toBe((await commands[name]?.load())?.help);
});

test("agentao --help tells of talking and -p first, in lines of at most 100", () => {
  expect(help).toMatch(/^Usage\n {2}agentao \[OPTIONS\] .*\n {2}agentao -p PROMPT /m);
  expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("agentao help acp proxy is the help of that tool", async () => {
  const io = scriptedIo();
  expect(await createHelp(commands).run(["acp", "proxy"], io)).toBe(0);
  expect(io.said).toMatch(/^agentao acp proxy: /);
  await expect(createHelp(commands).run(["acp", "prxy"], io)).rejects.toThrow('acp has no "prxy"; did you mean proxy?');
  await expect(createHelp(commands).run(["run", "fast"], io)).rejects.toThrow('run has no "fast"');
});

test("agentao help is agentao --help", async () => {
  const io = scriptedIo();
  expect(await createHelp(commands).run([], io)).toBe(0);
  expect(io.said).toBe(help);
  await expect(createHelp(commands).run(["sesions"], io)).rejects.toThrow(
    'there is no command "sesions"; did you mean sessions?',
  );
});

test.each([
  ["nothing", 'agentao: there is no command "nothing"\nTry "agentao --help".\n'],
  ["acp nothing", 'agentao: acp has no "nothing"\nTry "agentao acp --help".\n'],
])("agentao help %s says whose help names what there is", async (line, complained) => {
  const io = scriptedIo();
  expect(await runCommand("help", line.split(" "), io)).toBe(2);
  expect(io.complained).toBe(complained);
});

test.each(["sessions list --help", "help sessions list", "config set -h x"])(
  "%s is the help of that part",
  async (line) => {
    const [name = "", ...args] = line.split(" ");
    const io = scriptedIo();
    expect(await runCommand(name, args, io)).toBe(0);
    expect(io.said).toMatch(/^agentao (sessions list|config set): [a-z]/);
    expect(io.said).toMatch(/\n\nUsage\n {2}agentao \S+ \S+ \S/);
    expect(io.said).toMatch(/"agentao (sessions|config) --help" says more\.\n$/);
  },
);

test("the help of a part has its options, its examples and no others", async () => {
  const text = (await (await commands.sessions?.load())?.helpOf?.("export")) ?? "";
  expect(text).toContain("  agentao sessions export [ID] [--format FORMAT] [--output FILE]\n");
  expect(text).toContain("  -o, --output FILE  ");
  expect(text).toContain("  agentao sessions export 3f2a --output login.html\n");
  expect(text).not.toMatch(/--older-than|sessions list/);
});

test.each(MANUALS)("the examples of agentao %s are understood", async (name) => {
  const command = await commands[name]?.load();
  const { options = [], subcommands = [] } = command ?? {};
  const shown = /^Examples\n([\s\S]*?)\n\n/m.exec(command?.help ?? "")?.[1] ?? "";
  const lines = [...shown.matchAll(/^ {2}(?:source <\()?agentao (\S+) ?([^|)\n]*)/gm)];
  expect(lines.length).toBeGreaterThan(0);
  for (const [, , rest = ""] of lines.filter(([, word]) => word === name)) {
    const words = (rest.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
    if (subcommands.length === 0) expect(() => parseWords(words, options)).not.toThrow();
    else if (name !== "mcp" || words[0] !== "add") {
      expect(() => chooseSubcommand(name, words, subcommands)).not.toThrow();
    } else expect(() => parseAddition(words.slice(1))).not.toThrow();
  }
});

test("the options of the program that help names are those it knows", () => {
  for (const { name, short } of programOptions) {
    for (const word of short === undefined ? [name] : [name, short]) {
      const others = ["--acp", "--stdio", "--help", "--version"].includes(name) ? ["--acp"] : [];
      const asked = parseFlags([word, ...others], () => true);
      expect(asked).not.toMatchObject({ type: "wrong" });
    }
  }
});
