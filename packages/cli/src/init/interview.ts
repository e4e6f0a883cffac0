// Asks a person which provider, key and model to use. A key is never shown.

import { inspectModels, type KnownProvider, knownProviders } from "@agentao/agent";
import type { Io } from "../command/command.ts";
import { findHome } from "../home.ts";
import type { Questions } from "../questions.ts";
import { type Choice, keyVariable, setVariable } from "./plan.ts";

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
  const provider = known?.id ?? (word === OTHER ? await askName(questions) : word);
  if (provider === undefined) return undefined;

  const baseUrl = known === undefined ? (given.baseUrl ?? (await askUrl(questions, say))) : given.baseUrl;
  if (known === undefined && baseUrl === undefined) return undefined;
  const key = known?.needsKey === false ? NO_KEY : await askKey(questions, provider, known, given, io);
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
  return choose(questions, `Number or name [${usual + 1}]: `, (answer) => {
    if (answer === "") return rows[usual]?.id;
    return (
      rows[Number(answer) - 1]?.id ??
      rows.find(({ id, name }) => [id, name.toLowerCase()].includes(answer.toLowerCase()))?.id
    );
  });
}

async function askName(questions: Questions): Promise<string | undefined> {
  return choose(questions, "A name for it, such as mycompany: ", (answer) => {
    return /^[a-z][a-z0-9_-]{0,40}$/i.test(answer) ? answer.toLowerCase() : undefined;
  });
}

async function askUrl(questions: Questions, say: (text: string) => void): Promise<string | undefined> {
  say("It has to speak OpenAI's chat completions.\n");
  return choose(questions, "Its address, such as https://llm.example.com/v1: ", (answer) => {
    return /^https?:\/\/[^/]/i.test(answer) && URL.canParse(answer) ? answer : undefined;
  });
}

async function askKey(
  questions: Questions,
  provider: string,
  known: KnownProvider | undefined,
  given: Given,
  { env, stderr }: Io,
): Promise<NonNullable<Choice["key"]> | typeof NO_KEY | undefined> {
  if (given.keyVariable !== undefined) return { type: "variable", name: given.keyVariable };
  const usual = (known && setVariable(known, env)) ?? keyVariable(provider);
  stderr.write(
    `The key: in a variable, which is safer, or typed now.${env[usual]?.trim() ? ` ${usual} is set.` : ""}\n`,
  );
  const none = known === undefined ? ', "none" if it needs none' : "";
  const name = await choose(
    questions,
    `Name of the variable, or "key" to type the key${none} [${usual}]: `,
    (answer) => {
      if (answer === "") return usual;
      return /^[A-Za-z_]\w{0,60}$/.test(answer) ? answer : undefined;
    },
  );
  if (name === undefined) return undefined;
  if (known === undefined && name === NO_KEY) return NO_KEY;
  if (name !== "key") return { type: "variable", name };
  const key = (await questions.askSecret("The key (it is not shown): "))?.trim();
  return key ? { type: "key", key } : undefined;
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
  return choose(questions, usual === undefined ? "Name of the model: " : `Number or name [${usual}]: `, (answer) => {
    if (answer === "") return usual;
    return names[Number(answer) - 1] ?? (/^\S{1,200}$/.test(answer) && !/^\d+$/.test(answer) ? answer : undefined);
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

/** Asks again until the answer makes sense. */
async function choose(
  questions: Questions,
  question: string,
  read: (answer: string) => string | undefined,
): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await questions.ask(question);
    if (answer === undefined) return undefined;
    const chosen = read(answer.trim());
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}
