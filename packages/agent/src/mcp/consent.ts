// What a person said to servers that a project brings: asked once for each, and again when it is another than it was.

import { join, resolve } from "node:path";
import { readText } from "../config/files.ts";
import { fieldsOf } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { writePrivate } from "./private-file.ts";

/** What is consented to; `WrittenServer` is one. */
export interface ConsentSubject {
  readonly name: string;
  readonly fingerprint: string;
}

export type ConsentAnswer = "given" | "refused";

export type Kept = { readonly type: "kept" } | { readonly type: "not-kept"; readonly why: string };

export interface Consent {
  /** Nothing where the person was not asked yet, or about another server of that name. Never rejects. */
  answer(project: string, server: ConsentSubject): Promise<ConsentAnswer | undefined>;
  isGiven(project: string, server: ConsentSubject): Promise<boolean>;
  /** Counts at once, also where it cannot be written down. Never rejects. */
  give(project: string, server: ConsentSubject): Promise<Kept>;
  refuse(project: string, server: ConsentSubject): Promise<Kept>;
}

/** Without a home, answers are kept as long as this object. A file that makes no sense gives nothing. */
export function createConsent(home: string | undefined, file = "mcp-consent.json"): Consent {
  const path = home === undefined ? undefined : join(home, file);
  /** What was said here; it counts before what is written. */
  const said: Answers = new Map();
  let writing: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Answers> =>
    path === undefined ? new Map() : parseAnswers((await readText(path)).text);

  const answer: Consent["answer"] = async (project, server) => {
    const folder = resolve(project);
    return find(said, folder, server) ?? find(await read(), folder, server);
  };

  const keep = (project: string, { name, fingerprint }: ConsentSubject, given: ConsentAnswer): Promise<Kept> => {
    const folder = resolve(project);
    note(said, folder, name, { fingerprint, answer: given });
    const write = async (): Promise<Kept> => {
      if (path === undefined) return { type: "not-kept", why: "there is no home folder; set AGENTAO_HOME" };
      try {
        const answers = await read();
        note(answers, folder, name, { fingerprint, answer: given });
        await writePrivate(path, toText(answers));
        return { type: "kept" };
      } catch (cause) {
        return { type: "not-kept", why: (cause as Error).message };
      }
    };
    const written = writing.then(write);
    writing = written;
    return written;
  };

  return {
    answer,
    isGiven: async (project, server) => (await answer(project, server)) === "given",
    give: (project, server) => keep(project, server, "given"),
    refuse: (project, server) => keep(project, server, "refused"),
  };
}

interface Answer {
  readonly fingerprint: string;
  readonly answer: ConsentAnswer;
}

/** By project, then by the name of the server. */
type Answers = Map<string, Map<string, Answer>>;

function find(answers: Answers, folder: string, { name, fingerprint }: ConsentSubject): ConsentAnswer | undefined {
  const found = answers.get(folder)?.get(name);
  return found?.fingerprint === fingerprint ? found.answer : undefined;
}

function note(answers: Answers, folder: string, name: string, answer: Answer): void {
  const servers = answers.get(folder) ?? new Map<string, Answer>();
  answers.set(folder, servers.set(name, answer));
}

function parseAnswers(text: string | undefined): Answers {
  const answers: Answers = new Map();
  for (const [folder, servers] of Object.entries(fieldsOf(fieldsOf(parseJson(text ?? "")).projects))) {
    for (const [name, one] of Object.entries(fieldsOf(servers))) {
      const { fingerprint, answer } = fieldsOf(one);
      if (typeof fingerprint !== "string" || (answer !== "given" && answer !== "refused")) continue;
      note(answers, folder, name, { fingerprint, answer });
    }
  }
  return answers;
}

function toText(answers: Answers): string {
  const projects = Object.fromEntries([...answers].map(([folder, servers]) => [folder, Object.fromEntries(servers)]));
  return `${JSON.stringify({ version: 1, projects }, null, 2)}\n`;
}
