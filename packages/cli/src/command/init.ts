// `agentao init`: from nothing to a model that answers. Writes the person's settings, or a project's `.env`; nothing is
// replaced unasked, and a key is never shown.

import { join } from "node:path";
import { findKnownProvider, inspectModels, knownProviders } from "@agentao/agent";
import { redact } from "@agentao/agent/program";
import { findHome } from "../home.ts";
import { isIgnored, putVariables, replacedIn } from "../init/dot-env.ts";
import { type Given, interview } from "../init/interview.ts";
import { type Choice, isVariable, keyVariable, setVariable, toChanges, toVariables } from "../init/plan.ts";
import { type ConfigText, readConfig } from "../io/config-text.ts";
import type { Io } from "../io/io.ts";
import { isYes, openQuestions, type Questions } from "../io/questions.ts";
import { isFields } from "../json/fields.ts";
import type { Command, Option } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { noOperands, parseWords, textOf } from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { changeFile } from "../settings-edit/change-file.ts";
import { editSettings, parseTree } from "../settings-edit/edit-settings.ts";
import { getAt } from "../settings-edit/key-path.ts";
import { messageOf } from "../text/message-of.ts";

const OPTIONS: readonly Option[] = [
  {
    name: "--provider",
    value: "NAME",
    suggestions: knownProviders.map(({ id }) => id),
    summary: "Who makes the answers: openai, anthropic, gemini, ollama, or a name of your own.",
  },
  { name: "--model", value: "MODEL", summary: "Which of its models. The usual one where nothing is said." },
  {
    name: "--key-variable",
    value: "NAME",
    summary: "The variable that holds the key. The usual one where nothing is said.",
  },
  { name: "--base-url", value: "URL", summary: "Where a provider of your own is." },
  { name: "--project", summary: "Write .env of this folder instead of your own settings.json." },
  { name: "--yes", short: "-y", summary: "Do not ask. Needed where there is nobody to ask." },
];

const manual: Manual = {
  name: "init",
  title: "choose a provider and a model, and write that down",
  usage: ["[--provider NAME] [--model MODEL] [--key-variable NAME] [--base-url URL] [--project] [--yes]"],
  about: [
    "Asks which provider, which key and which model to use, and writes settings.json in AGENTAO_HOME, readable by you alone. Other settings in it stay. With --project it writes .env of this folder: keep that out of version control. What is set already is replaced only after asking.",
  ],
  options: OPTIONS,
  examples: [
    ["agentao init", "Asks everything."],
    ["agentao init --provider anthropic --yes", "ANTHROPIC_API_KEY has the key; the usual model."],
    [
      "agentao init --provider openai --model gpt-6.1-terra --key-variable WORK_KEY --yes",
      "The key is in another variable.",
    ],
    [
      "agentao init --provider acme --base-url https://llm.acme.example/v1 --model acme-1 --yes",
      "A server of your own.",
    ],
  ],
  exitCodes: [
    [0, "written"],
    [1, "nothing was written"],
    [2, "the command line makes no sense, or there is nobody to ask"],
  ],
};

export const init: Command = toCommand(manual, async (args, io) => {
  const words = parseWords(args, OPTIONS);
  noOperands(words);
  const given: Given = {
    provider: textOf(words, "--provider")?.toLowerCase(),
    model: textOf(words, "--model"),
    keyVariable: checkVariable(textOf(words, "--key-variable"), io),
    baseUrl: textOf(words, "--base-url"),
  };
  const isAsking = words.options["--yes"] !== true;
  if (isAsking && io.stdin.isTTY !== true)
    throw new UsageError("there is nobody to ask; name --provider and add --yes");
  const questions = isAsking ? openQuestions(io) : undefined;
  try {
    const choice = questions === undefined ? unasked(given, io) : await interview(questions, given, io);
    if (choice === undefined) return stop(io, "Nothing was written.");
    const isProject = words.options["--project"] === true;
    return await (isProject ? writeProject(choice, questions, io) : writePersonal(choice, questions, io));
  } finally {
    questions?.close();
  }
});

function checkVariable(name: string | undefined, { env }: Io): string | undefined {
  // A key on the command line is in the shell's history by now, but it need not be in a file too.
  if (name !== undefined && !isVariable(name, env)) {
    throw new UsageError("--key-variable is the name of a variable, such as WORK_KEY, not a key");
  }
  return name;
}

function unasked({ provider: word, model, keyVariable: name, baseUrl }: Given, { env }: Io): Choice {
  if (word === undefined) throw new UsageError("--yes needs --provider");
  const known = findKnownProvider(word);
  const provider = known?.id ?? word;
  if (known === undefined && baseUrl === undefined) {
    throw new UsageError(`"${word}" is not a provider that is known, so it needs --base-url`);
  }
  if (baseUrl !== undefined && !(/^https?:\/\/[^/]/i.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new UsageError("--base-url is not an http or https address");
  }
  const chosen = model ?? known?.models[0];
  if (chosen === undefined) throw new UsageError(`${provider} needs --model`);
  const variable = name ?? (known && setVariable(known, env)) ?? keyVariable(provider);
  const needsKey = name !== undefined || known?.needsKey === true;
  return {
    provider,
    model: chosen,
    ...(needsKey && { key: { type: "variable", name: variable } }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}

async function writePersonal(choice: Choice, questions: Questions | undefined, io: Io): Promise<number> {
  const home = findHome(io.env);
  if (home === undefined) return stop(io, "There is no home folder. Set AGENTAO_HOME to a folder.");
  const path = join(home, "settings.json");
  const changes = toChanges(choice);
  const read = await readConfig(path);
  const tree = read.type === "text" ? parseTree(read.text) : {};
  const replaced = isFields(tree)
    ? changes.filter(({ path: at, values }) => {
        const old = getAt(tree, at);
        return old !== undefined && JSON.stringify(old) !== JSON.stringify(values[0]);
      })
    : [];
  const names = replaced.map(({ path: at }) => at.join("."));
  if (!(await mayReplace(names, path, questions, io))) return stop(io, "Nothing was written.");
  const edited = await editSettings({ path, whose: "yours" }, changes);
  if (edited.type === "refused") return stop(io, edited.problems.join("\n"));
  if (questions === undefined && isFields(tree)) {
    for (const { path: at } of replaced) {
      const old = at.at(-1) === "apiKey" ? "" : `: it was ${redact(JSON.stringify(getAt(tree, at)))}`;
      io.stdout.write(`Replaced ${at.join(".")}${old}.\n`);
    }
  }
  io.stdout.write(`Written to ${path}.\n`);
  return tellNext(choice, io);
}

async function writeProject(choice: Choice, questions: Questions | undefined, io: Io): Promise<number> {
  const path = join(io.cwd, ".env");
  const read = await readConfig(path);
  if (read.type === "unreadable") return stop(io, `${path} cannot be read: ${read.why}. Nothing was written.`);
  const variables = toVariables(choice);
  const names = replacedIn(textIn(read), variables);
  if (!(await mayReplace(names, path, questions, io))) return stop(io, "Nothing was written.");
  try {
    await changeFile(path, (now) => putVariables(textIn(now), variables), { access: "private" });
  } catch (cause) {
    return stop(io, `${path} cannot be written: ${messageOf(cause)}`);
  }
  if (names.length > 0 && questions === undefined) io.stdout.write(`Replaced ${names.join(", ")}.\n`);
  io.stdout.write(`Written to ${path}.\n`);
  await keepOut(questions, io);
  return tellNext(choice, io);
}

function textIn(read: ConfigText): string {
  return read.type === "text" ? read.text : "";
}

/** A `.env` holds keys, and is committed by accident. */
async function keepOut(questions: Questions | undefined, io: Io): Promise<void> {
  const path = join(io.cwd, ".gitignore");
  const read = await readConfig(path);
  if (read.type === "unreadable" || isIgnored(textIn(read))) return;
  if (questions !== undefined && (await isYes(questions, "Add .env to .gitignore?"))) {
    try {
      await changeFile(path, (now) => `${textIn(now).replace(/(?<=[^\n])$/, "\n")}.env\n`, { access: "shared" });
      io.stdout.write(`.env is in ${path} now.\n`);
      return;
    } catch {
      // Said below, as if nobody had been asked.
    }
  }
  io.stdout.write("Keep it out of version control: add .env to .gitignore.\n");
}

async function mayReplace(
  names: readonly string[],
  path: string,
  questions: Questions | undefined,
  { stderr }: Io,
): Promise<boolean> {
  if (names.length === 0 || questions === undefined) return true;
  stderr.write(`${path} has ${names.join(", ")} already.\n`);
  return isYes(questions, "Replace?");
}

async function tellNext({ key, provider, model }: Choice, { env, cwd, stdout }: Io): Promise<number> {
  const { why, choice } = await inspectModels({ env, cwd, home: findHome(env) });
  const lines = [
    choice?.id === `${provider}/${model}`
      ? `New sessions begin with ${provider}/${model}.`
      : `But here something else counts more: ${redact(why)}.`,
    ...(key?.type === "variable" && !env[key.name]?.trim()
      ? [`${key.name} is not set yet: export it in your shell's profile.`]
      : []),
    'Next: agentao run "Say hello" tries it; "agentao doctor" says whether all is well.',
  ];
  stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

function stop({ stderr }: Io, why: string): number {
  stderr.write(`agentao: ${why}\n`);
  return 1;
}
