// Asks a person which provider, key and model to use. A key is never shown.

import { inspectModels, type KnownProvider, knownProviders } from "@agentao/agent";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import type { Questions } from "../io/questions.ts";
import { type Choice, isVariable, keyVariable, setVariable } from "./plan.ts";

/** What was said on the command line is not asked. */
export interface Given {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly keyVariable?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Nobody answers such a question wrongly for ever. */
const MAX_TRIES = 5;

/** Nothing when the person wants out. */
export async function interview(questions: Questions, given: Given, io: Io): Promise<Choice | undefined> {
  const say = (text: string): void => void io.stderr.write(text);
  const word = given.provider ?? (await askProvider(questions, io, say));
  if (word === undefined) return undefined;
  const known = knownProviders.find(({ id, aliases }) => id === word || aliases.includes(word));
  const provider = known?.id ?? (word === OTHER ? await askName(questions, say) : word);
  if (provider === undefined) return undefined;

  const baseUrl = known === undefined ? (given.baseUrl ?? (await askUrl(questions, say))) : given.baseUrl;
  if (known === undefined && baseUrl === undefined) return undefined;
  const key = known?.needsKey === false ? NO_KEY : await askKey(questions, provider, known, given, io, say);
  if (key === undefined) return undefined;
  const model = given.model ?? (await askModel(questions, known, io, say));
  if (model === undefined) return undefined;
  return { provider, model, ...(key !== NO_KEY && { key }), ...(baseUrl !== undefined && { baseUrl }) };
}

const OTHER = "other";
const NO_KEY = "none";

async function askProvider(
  questions: Questions,
  { env }: Io,
  say: (text: string) => void,
): Promise<string | undefined> {
  const rows = [
    ...knownProviders.map((one) => ({ id: one.id, name: one.name, has: setVariable(one, env) })),
    { id: OTHER, name: "Another, by its address", has: undefined },
  ];
  say("Which provider?\n");
  for (const [at, { name, has }] of rows.entries()) {
    say(`${String(at + 1).padStart(4)}  ${name}${has === undefined ? "" : ` (${has} is set)`}\n`);
  }
  const usual = Math.max(
    0,
    rows.findIndex(({ has }) => has !== undefined),
  );
  return choose(questions, say, {
    question: `Number or name [${usual + 1}]: `,
    wrong: `Write a number from 1 to ${rows.length}, or a name.`,
    read: (answer) => {
      if (answer === "") return rows[usual]?.id;
      return (
        rows[Number(answer) - 1]?.id ??
        rows.find(({ id, name }) => [id, name.toLowerCase()].includes(answer.toLowerCase()))?.id
      );
    },
  });
}

async function askName(questions: Questions, say: (text: string) => void): Promise<string | undefined> {
  return choose(questions, say, {
    question: "A name for it, such as mycompany: ",
    wrong: "A name begins with a letter and has letters, digits, dashes and underscores.",
    read: (answer) => (/^[a-z][a-z0-9_-]{0,40}$/i.test(answer) ? answer.toLowerCase() : undefined),
  });
}

async function askUrl(questions: Questions, say: (text: string) => void): Promise<string | undefined> {
  say("It has to speak OpenAI's chat completions.\n");
  return choose(questions, say, {
    question: "Its address, such as https://llm.example.com/v1: ",
    wrong: "An address begins with https:// or http://.",
    read: (answer) => (/^https?:\/\/[^/]/i.test(answer) && URL.canParse(answer) ? answer : undefined),
  });
}

async function askKey(
  questions: Questions,
  provider: string,
  known: KnownProvider | undefined,
  given: Given,
  { env }: Io,
  say: (text: string) => void,
): Promise<NonNullable<Choice["key"]> | typeof NO_KEY | undefined> {
  if (given.keyVariable !== undefined) return { type: "variable", name: given.keyVariable };
  const usual = (known && setVariable(known, env)) ?? keyVariable(provider);
  say(`The key: in a variable, which is safer, or typed now.${env[usual]?.trim() ? ` ${usual} is set.` : ""}\n`);
  const none = known === undefined ? ', "none" if it needs none' : "";
  const name = await choose(questions, say, {
    question: `Name of the variable, or "key" to type the key${none} [${usual}]: `,
    wrong: 'That is no name of a variable. To type the key itself, write "key" first: then it is not shown.',
    read: (answer) => {
      if (answer === "") return usual;
      const isWord = answer === "key" || (answer === NO_KEY && known === undefined);
      return isWord || isVariable(answer, env) ? answer : undefined;
    },
  });
  if (name === undefined) return undefined;
  if (known === undefined && name === NO_KEY) return NO_KEY;
  return name === "key" ? askSecret(questions, say) : { type: "variable", name };
}

async function askSecret(
  questions: Questions,
  say: (text: string) => void,
): Promise<NonNullable<Choice["key"]> | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const key = (await questions.askSecret("The key (it is not shown): "))?.trim();
    if (!key) return undefined;
    if (/^[!-~]+$/.test(key)) return { type: "key", key };
    say("A key has no blanks and no letters but those of English in it. Copy it once more.\n");
  }
  return undefined;
}

async function askModel(
  questions: Questions,
  known: KnownProvider | undefined,
  io: Io,
  say: (text: string) => void,
): Promise<string | undefined> {
  const names = known?.needsKey === false ? await servedModels(known.id, io) : (known?.models ?? []);
  if (names.length > 0) say("Which model?\n");
  for (const [at, name] of names.entries()) say(`${String(at + 1).padStart(4)}  ${name}\n`);
  const [usual] = names;
  return choose(questions, say, {
    question: usual === undefined ? "Name of the model: " : `Number or name [${usual}]: `,
    wrong: "Write the name of a model, as its provider has it.",
    read: (answer) => {
      if (answer === "") return usual;
      return names[Number(answer) - 1] ?? (/^\S{1,200}$/.test(answer) && !/^\d+$/.test(answer) ? answer : undefined);
    },
  });
}

/** Those a server on this machine has. */
async function servedModels(id: string, { cwd, env }: Io): Promise<readonly string[]> {
  const { servers } = await inspectModels({
    cwd,
    home: findHome(env),
    env: { ...env, LLM_PROVIDER: id, AGENTAO_MODEL: "" },
  });
  return servers.find((one) => one.id === id)?.models.map(({ name }) => name) ?? [];
}

interface Choosing {
  readonly question: string;
  /** What is said to an answer that makes no sense. */
  readonly wrong: string;
  read(answer: string): string | undefined;
}

/** Asks again until the answer makes sense. */
async function choose(
  questions: Questions,
  say: (text: string) => void,
  { question, wrong, read }: Choosing,
): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await questions.ask(question);
    if (answer === undefined) return undefined;
    const chosen = read(answer.trim());
    if (chosen !== undefined) return chosen;
    say(`${wrong}\n`);
  }
  return undefined;
}
