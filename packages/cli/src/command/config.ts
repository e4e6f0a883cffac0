// `agentao config`: checks, reads and changes what people write in settings files. Keys are never printed.

import { checkFiles, unknownIn } from "../doctor/check-files.ts";
import { type Finding, fine, isBroken, toLines, toReport } from "../doctor/finding.ts";
import { findHome } from "../home.ts";
import { readConfig } from "../io/config-text.ts";
import { hasColors } from "../io/has-colors.ts";
import type { Io } from "../io/io.ts";
import type { Command, Option } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { chooseSubcommand, noOperands, oneOperand, type Words, withDefault } from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { redactFrame } from "../secret/redact-frame.ts";
import { type ConfigFile, configFiles } from "../settings-edit/config-file.ts";
import { editSettings, parseTree } from "../settings-edit/edit-settings.ts";
import { getAt, type KeyPath, parseKeyPath, toKeyText } from "../settings-edit/key-path.ts";
import { KNOWN_SETTINGS } from "../settings-edit/known-settings.ts";
import { unusedSettings } from "../settings-edit/unused-settings.ts";

const JSON_OPTION: Option = { name: "--json", summary: "For programs." };
const PROJECT: Option = { name: "--project", summary: "In .agentao/settings.json of this folder instead of your own." };

const manual: Manual = {
  name: "config",
  title: "check, read and change settings",
  about: [
    "Settings are in settings.json, permissions.json, mcp.json, sandbox.json and acp.json: your own in AGENTAO_HOME, those of a project in its .agentao folder. A project can only make permissions and the sandbox stricter.",
    'A KEY names a place in settings.json: model, mode, context.compactAt, providers.openai.baseUrl. A name with dots in it is written in brackets: providers.openai.models["gpt-6.1-sol"].window.',
    "Without a command, it says where the files are.",
  ],
  subcommands: [
    {
      name: "validate",
      usage: "[--json]",
      summary: "Says what is wrong with all these files, and what to do.",
      options: [JSON_OPTION],
    },
    {
      name: "get",
      usage: "KEY [--project] [--json]",
      summary: "Prints a value: the project's where it has one, else yours. Keys of providers are not printed.",
      options: [
        { ...PROJECT, summary: "Only what the project's file says." },
        { name: "--json", summary: "As JSON, with the file it is from." },
      ],
      operand: KNOWN_SETTINGS,
    },
    {
      name: "set",
      usage: "KEY VALUE [--project]",
      summary:
        "Writes a value into settings.json, and leaves the rest as it is. VALUE is JSON or a text; null takes the setting away.",
      options: [PROJECT],
      operand: KNOWN_SETTINGS,
      operandAfter: { model: "model", mode: ["read-only", "workspace-write", "full-access", "plan"] },
    },
    {
      name: "path",
      usage: "[--json]",
      summary: "Says where the files are, and which of them are there.",
      options: [JSON_OPTION],
    },
  ],
  examples: [
    ["agentao config validate", "Before a project's settings are committed."],
    ["agentao config set model anthropic/claude-sonnet-5-5", "New sessions begin with it."],
    ["agentao config set mode read-only --project", "Nothing is written in this project."],
    ["agentao config set providers.openai.apiKey '$MY_KEY'", "The key is in that variable; the file never has it."],
    ["agentao config get context.compactAt", "What is set, or exit code 1."],
  ],
  exitCodes: [
    [0, "done, and nothing is wrong"],
    [1, "something is wrong with a file, the setting is not there, or the value was refused"],
    [2, "the command line makes no sense"],
  ],
};

const PARTS: Readonly<Record<string, (words: Words, io: Io) => Promise<number>>> = { validate, get, set, path };

export const config: Command = toCommand(manual, async (args, io) => {
  const { name, words } = chooseSubcommand("config", withDefault("path", args), manual.subcommands ?? []);
  return (await PARTS[name]?.(words, io)) ?? 1;
});

async function validate(words: Words, io: Io): Promise<number> {
  noOperands(words);
  const { env, cwd, stdout } = io;
  const files = await checkFiles({ cwd, env, home: findHome(env) });
  const findings = files.flatMap((file): readonly Finding[] => {
    if (!file.isThere) return [];
    return file.findings.length > 0 ? file.findings : [fine(file.kind, `${file.path} is fine.`)];
  });
  const all = findings.length > 0 ? findings : [fine("settings", "There are no settings files.")];
  stdout.write(
    words.options["--json"]
      ? `${JSON.stringify(toReport(all), null, 2)}\n`
      : toLines(all, { colors: hasColors(io), columns: stdout.columns }),
  );
  return isBroken(all) ? 1 : 0;
}

async function get(words: Words, io: Io): Promise<number> {
  const key = toKeyPath(oneOperand(words, "the KEY"));
  const files = settingsFiles(io).filter(({ whose }) => whose === "project" || !words.options["--project"]);
  for (const { path } of files) {
    const read = await readConfig(path);
    const tree = read.type === "text" ? parseTree(read.text) : {};
    if (typeof tree === "string") io.stderr.write(`agentao: ${path} ${tree}, so it is not used.\n`);
    const value = getAt(tree, key);
    if (value === undefined || value === null) continue;
    const clean = withoutSecret(key, value);
    if (words.options["--json"]) io.stdout.write(`${JSON.stringify({ value: clean, source: path }, null, 2)}\n`);
    else io.stdout.write(`${typeof clean === "string" ? clean : JSON.stringify(clean, null, 2)}\n`);
    return 0;
  }
  io.stderr.write(`${toKeyText(key)} is not set.\n`);
  return 1;
}

/** A variable's name is no secret. */
function withoutSecret(key: KeyPath, value: unknown): unknown {
  const name = key.at(-1) ?? "";
  if (typeof value === "string" && /^\$\{?\w+\}?$/.test(value)) return value;
  return getAt(redactFrame({ [name]: value }), [name]);
}

async function set(words: Words, io: Io): Promise<number> {
  const [word, text, ...others] = words.operands;
  if (word === undefined || text === undefined) throw new UsageError("set needs a KEY and a VALUE");
  if (others.length > 0) throw new UsageError(`unexpected argument "${others[0]}"; quote a VALUE with spaces`);
  const key = toKeyPath(word);
  const isProject = words.options["--project"] === true;
  const file = settingsFiles(io).find(({ whose }) => whose === (isProject ? "project" : "yours"));
  if (file === undefined)
    return complain(io, ["There is no home folder. Set AGENTAO_HOME to a folder, or use --project."]);
  if (isProject && key.at(-1) === "apiKey" && !text.startsWith("$")) {
    return complain(io, [
      "A key does not belong in a project's file. Leave --project out, or name a variable: '$MY_KEY'.",
    ]);
  }
  const unknown = text === "null" ? undefined : key.map((_, at) => unknownIn(key.slice(0, at + 1))).find(Boolean);
  if (unknown !== undefined) return complain(io, [`${unknown} Nothing was written.`]);
  const edited = await editSettings(file, [{ path: key, values: toValues(text) }]);
  if (edited.type === "refused") return complain(io, edited.problems);
  if (!KNOWN_SETTINGS.includes(key[0] ?? ""))
    io.stderr.write(`agentao does not read "${key[0]}"; it was written all the same.\n`);
  if (isProject) {
    const unused = await unusedSettings({ cwd: io.cwd, env: io.env, home: findHome(io.env) }, file.path);
    const own = unused.filter((notice) => notice.startsWith(`${file.path}: ${key[0]} `));
    io.stderr.write(own.map((notice) => `agentao: ${notice}\n`).join(""));
  }
  io.stdout.write(`${text === "null" ? "Took away" : "Set"} ${word} in ${file.path}.\n`);
  return 0;
}

/** As JSON where it is JSON, else as the text it is. */
function toValues(text: string): readonly unknown[] {
  if (text === "null") return [undefined];
  try {
    return [JSON.parse(text), text];
  } catch {
    return [text];
  }
}

async function path(words: Words, io: Io): Promise<number> {
  noOperands(words);
  const files = await Promise.all(
    configFiles({ cwd: io.cwd, home: findHome(io.env) }).map(async (file) => {
      const isThere = (await readConfig(file.path)).type !== "missing";
      return { ...file, isThere };
    }),
  );
  const rows = files.map(
    ({ whose, isThere, path: at }) => `${whose.padEnd(7)}  ${isThere ? "there  " : "missing"}  ${at}\n`,
  );
  io.stdout.write(words.options["--json"] ? `${JSON.stringify({ files }, null, 2)}\n` : rows.join(""));
  return 0;
}

/** The project's first. */
function settingsFiles({ env, cwd }: Io): readonly ConfigFile[] {
  return configFiles({ cwd, home: findHome(env) })
    .filter(({ kind }) => kind === "settings")
    .toReversed();
}

function toKeyPath(word: string): KeyPath {
  const key = parseKeyPath(word);
  if (key === undefined) throw new UsageError(`"${word}" is not a KEY; write it like providers.openai.baseUrl`);
  return key;
}

function complain({ stderr }: Io, problems: readonly string[]): number {
  stderr.write(problems.map((problem) => `agentao: ${problem}\n`).join(""));
  return 1;
}
