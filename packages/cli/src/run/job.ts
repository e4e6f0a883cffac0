// One job, complete: what the command line, a spec and standard input ask for together.

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionWish } from "../front/front.ts";
import type { Lent } from "../front/loan.ts";
import type { PermissionRule } from "../front/permission-rule.ts";
import { findStranger } from "../front/tool-name.ts";
import type { Io } from "../io/io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { messageOf } from "../text/message-of.ts";
import { splitWords } from "../text/split-words.ts";
import { applyParameters, type Template } from "./parameter.ts";
import { readInput } from "./read-input.ts";
import type { RunFlags } from "./run-flags.ts";
import { looksLikeSpec, parseSpec } from "./run-spec.ts";
import type { Wishes } from "./wishes.ts";

export interface Job {
  readonly prompt: string;
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly mode?: string | undefined;
  /** Absolute, and there. */
  readonly cwd: string;
  readonly isCwdGiven: boolean;
  readonly session: SessionWish;
  readonly maxSteps?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly rules: readonly PermissionRule[];
  /** The words of another agent's command; our own runtime where there is none. */
  readonly agent?: readonly string[] | undefined;
  /** What that agent may use of this machine. */
  readonly lends?: readonly Lent[] | undefined;
}

/** What a job is made of besides the command line. */
export interface Source {
  readonly spec?: Template | undefined;
  /** What came in on standard input and is no spec. */
  readonly input: string;
}

/** Reads what has to be read. Throws `UsageError`. */
export async function readSource({ specFile, prompt }: RunFlags, io: Io): Promise<Source> {
  const isFile = specFile !== undefined && specFile !== "-";
  const fromFile = isFile ? parseSpec(await readSpecFile(specFile, io.cwd), specFile) : undefined;
  const input = await readInput(io, { isOptional: isFile || prompt !== undefined });
  if (specFile === "-") return { spec: parseSpec(input, "standard input"), input: "" };
  const isSpec = (isFile || prompt === undefined) && looksLikeSpec(input);
  if (isSpec && isFile) throw new UsageError("there are two specs: one in --spec, one on standard input");
  return isSpec ? { spec: parseSpec(input, "standard input"), input: "" } : { spec: fromFile, input };
}

/** Throws `UsageError`. */
export async function toJob(flags: RunFlags, { spec, input }: Source, here: string): Promise<Job> {
  if (spec === undefined && flags.params.length > 0) throw new UsageError("--param needs a --spec that declares it");
  if (flags.lends !== undefined && flags.agent === undefined)
    throw new UsageError("--lend needs an --agent to lend to");
  const wishes = merge(flags, spec === undefined ? undefined : applyParameters(spec, flags.params));
  const prompt = joinPrompt(wishes.prompt, input);
  if (prompt === undefined) {
    throw new UsageError('there is no prompt: agentao run "what to do", or write it to standard input');
  }
  if (wishes.skills.length > 0)
    throw problem("skills cannot be chosen for a run yet; leave --skill, or skills in the spec, out");
  const stranger = wishes.agent === undefined ? findStranger(wishes.rules) : undefined;
  if (stranger !== undefined) throw problem(stranger);
  return {
    ...wishes,
    prompt,
    instructions: wishes.instructions?.trim() ? wishes.instructions : undefined,
    cwd: await readFolder(resolve(here, wishes.cwd ?? ".")),
    isCwdGiven: wishes.cwd !== undefined,
    session: wishes.session ?? { type: "new" },
    lends: flags.lends,
    agent: wishes.agent === undefined ? undefined : readCommand(wishes.agent),
  };
}

/** What the command line says wins, except that rules add up: a deny is a deny, wherever it stands. */
function merge(flags: Wishes, spec: Wishes | undefined): Wishes {
  if (spec === undefined) return flags;
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const skills = flags.skills.length > 0 ? flags.skills : spec.skills;
  return { ...spec, ...given, rules: [...flags.rules, ...spec.rules], skills };
}

/** Words and input: the input is what the words are about. Input alone is the prompt. */
export function joinPrompt(words: string | undefined, input: string): string | undefined {
  const hasWords = words !== undefined && words.trim() !== "";
  const hasInput = input.trim() !== "";
  if (!hasInput) return hasWords ? words : undefined;
  if (!hasWords) return input;
  // A fence longer than any in the text cannot be closed by it.
  const longest = (input.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${words}\n\nStandard input:\n${fence}\n${input.replace(/\n$/, "")}\n${fence}`;
}

const MAX_SPEC_BYTES = 1024 * 1024;

async function readSpecFile(name: string, here: string): Promise<string> {
  const path = resolve(here, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw problem(`there is no spec ${path}`);
  if (found.isDirectory()) throw problem(`the spec ${path} is a folder`);
  if (found.size > MAX_SPEC_BYTES) throw problem(`the spec ${path} is larger than 1 MiB`);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw problem(`the spec cannot be read: ${messageOf(cause)}`);
  }
}

async function readFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw problem(`there is no folder ${path}`);
  if (!found.isDirectory()) throw problem(`${path} is no folder`);
  return path;
}

function readCommand(line: string): readonly string[] {
  const split = splitWords(line);
  if (split.type === "refused") throw problem(`the command of --agent cannot be used: ${split.problem}`);
  return split.words;
}

/** One that no help says more about. */
function problem(message: string): UsageError {
  return new UsageError(message, { isInHelp: false });
}
