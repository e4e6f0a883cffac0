// What belongs to a session's working directory, as a value. Reading it from files and the environment is done beside.

import type { ModelCatalogue } from "../model/model.ts";
import type { Rule, RuleProblem } from "../permission/rule.ts";
import type { Owner } from "./instruction-file.ts";
import type { FileInForce } from "./instructions.ts";
import type { Remembered } from "./remember.ts";
import type { SandboxChoice } from "./sandbox.ts";
import type { SearchProvider } from "./web-search.ts";

/** The files that instructions come from. */
export interface InstructionFiles {
  /** Those in force, as they are told. Never rejects. */
  list(): Promise<readonly FileInForce[]>;
  /** Adds a line, for every session from now on. Never rejects. */
  add(owner: Owner, text: string): Promise<Remembered>;
}

export interface Config {
  /** What commands of the session see; without our own keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the project says about itself; read anew where its files changed. Never rejects. */
  readonly instructions?: (() => Promise<string | undefined>) | undefined;
  /** Nothing where the instructions come from somewhere else. */
  readonly instructionFiles?: InstructionFiles | undefined;
  /** Of the version control of the folder, where there is one. Never rejects. */
  readonly branch?: (() => Promise<string | undefined>) | undefined;
  readonly mode?: string | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** What is wrong with the files the rules come from; until it is mended, more is asked. */
  readonly problems?: readonly RuleProblem[] | undefined;
  /** The models of this folder; those of the runtime where nothing is said. */
  readonly catalogue?: ModelCatalogue | undefined;
  /** Which of them a new session begins with; the first where nothing is said. */
  readonly model?: string | undefined;
  /** Who searches the web; nobody where nothing is said. */
  readonly search?: SearchProvider | undefined;
  /** How commands are confined; not at all where nothing is said. */
  readonly sandbox?: SandboxChoice | undefined;
  /** The share of a model's window at which older turns are summed up. */
  readonly compactAt?: number | undefined;
  /** What is good to know when the session opens: which model answers, and why. */
  readonly news?: readonly string[] | undefined;
  /** What the person should look into. */
  readonly notices?: readonly string[] | undefined;
}
