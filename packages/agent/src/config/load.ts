// What belongs to a working directory, read from files and from the environment that was handed in.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ParsedRules, parseRules, type RuleSource } from "../permission/rule.ts";
import type { Config } from "./config.ts";

export interface ConfigSource {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person's own settings are. */
  readonly home?: string | undefined;
}

/** Keys of model providers are ours; commands do not need them. */
const OWN_KEYS =
  /^(OPENAI|ANTHROPIC|GEMINI|GOOGLE|AZURE_OPENAI|DEEPSEEK|MOONSHOT|GROQ|MISTRAL|OPENROUTER|XAI|LLM)_API_KEY$|^LLM_EXTRA_BODY$/;

const MAX_INSTRUCTIONS_CHARS = 64 * 1024;

/** A person's rules, a project's rules that tighten them, and the project's instructions. Never throws. */
export async function loadConfig({ cwd, env, home }: ConfigSource): Promise<Config> {
  const files: [string, RuleSource][] = [
    ...(home === undefined ? [] : [ruleFile(home, "user")]),
    ruleFile(join(cwd, ".agentao"), "project"),
  ];
  const [instructions, ...parsed] = await Promise.all([
    readInstructions(cwd),
    ...files.map(([path, source]) => readRules(path, source)),
  ]);
  const problems = parsed.flatMap((read) => read.problems);
  return {
    env: withoutKeys(env),
    rules: parsed.flatMap((read) => read.rules),
    problems,
    notices: problems.map(({ source, message }) => `${source}: ${message}`),
    ...(instructions !== undefined && { instructions }),
  };
}

function ruleFile(folder: string, scope: RuleSource["scope"]): [string, RuleSource] {
  const path = join(folder, "permissions.json");
  return [path, { source: path, scope }];
}

async function readRules(path: string, source: RuleSource): Promise<ParsedRules> {
  try {
    return parseRules(await readFile(path, "utf8"), source);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { rules: [], problems: [] };
    return { rules: [], problems: [{ source: path, message: `cannot be read: ${message}`, loosens: true }] };
  }
}

function withoutKeys(env: ConfigSource["env"]): ConfigSource["env"] {
  const own = env.LLM_PROVIDER === undefined ? "" : `${env.LLM_PROVIDER.toUpperCase()}_API_KEY`;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_KEYS.test(name) && name !== own));
}

/** `AGENTAO.md` of the folder, without its front matter. */
async function readInstructions(cwd: string): Promise<string | undefined> {
  const text = await readFile(join(cwd, "AGENTAO.md"), "utf8").catch(() => undefined);
  const body = text?.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "").trim();
  return body ? body.slice(0, MAX_INSTRUCTIONS_CHARS) : undefined;
}
