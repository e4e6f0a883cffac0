// What belongs to a working directory, read from files and from the environment that was handed in.

import { isAbsolute, join } from "node:path";
import type { ModelCatalogue } from "../model/model.ts";
import { defaultMode, type ModeId } from "../permission/mode.ts";
import type { ParsedRules, RuleSource } from "../permission/rule.ts";
import type { Discover } from "../provider/discover.ts";
import type { Http } from "../provider/provider.ts";
import { unusableProxy } from "../provider/proxy.ts";
import { createBranch } from "./branch.ts";
import type { Config } from "./config.ts";
import { readFiles, readText } from "./files.ts";
import { announcement, findModels, type ModelReport } from "./find-models.ts";
import { createInstructions } from "./instructions.ts";
import { createModels } from "./models.ts";
import { keysNamedIn, withoutKeys } from "./own-keys.ts";
import type { Settings } from "./settings.ts";
import type { SearchProvider, SearchSource } from "./web-search.ts";

export interface ConfigSource {
  readonly cwd: string;
  /** The session's further folders. */
  readonly roots?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person's own settings are. */
  readonly home?: string | undefined;
  /** Models that need nobody: listed last, and the default where there is nothing else. */
  readonly besides?: ModelCatalogue | undefined;
  /** Says which model was chosen, and why. */
  readonly announce?: boolean | undefined;
  /** How servers on this machine are found. */
  readonly discover?: Discover | undefined;
}

const FIRST_BYTE_SECONDS = 180;
const STALL_SECONDS = 120;

/** A person's rules, a project's rules that tighten them, models, and the project's instructions. Never throws. */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  const { cwd, env, home, roots = [], announce = false } = source;
  const [rules, files] = await Promise.all([
    Promise.all(ruleFiles(source).map(([path, of]) => readRules(path, of))),
    readFiles(cwd, home),
  ]);
  const models = await findModels(files, source);
  const search = await findSearch({ env, projectEnv: files.projectEnv, settings: files.personal.settings.webSearch });
  const problems = rules.flatMap((read) => read.problems);
  const { personal, project } = files;
  const tightened = tighten(personal.settings.mode, project.settings.mode, files.projectPath);
  const http = toHttp(env, personal.settings, project.settings, home);
  const place = { cwd, roots: [cwd, ...roots], home };
  const instructions = createInstructions(place);
  const catalogue = createModels({ ...models, chosen: models.choice?.id, besides: source.besides, http });
  return {
    env: withoutKeys(
      env,
      [
        env.LLM_PROVIDER ?? "",
        files.projectEnv.LLM_PROVIDER ?? "",
        ...[personal, project].flatMap(({ settings }) => Object.keys(settings.providers)),
      ],
      keysNamedIn(personal.settings),
    ),
    rules: rules.flatMap((read) => read.rules),
    problems,
    ...(announce && models.choice !== undefined && { news: [announcement(models)] }),
    notices: [
      // Whoever reads a script's answer should not take it for a model's.
      ...(announce && models.choice === undefined ? [announcement(models)] : []),
      ...problems.map(({ source, message }) => `${source}: ${message}`),
      ...models.problems,
      ...tightened.notices,
      ...models.notices,
      ...aboutProxy(models, env),
      ...files.sandbox.notices,
    ],
    instructions: instructions.read,
    instructionFiles: {
      list: instructions.files,
      add: async (owner, text) => (await import("./remember.ts")).remember(place, owner, text),
    },
    branch: createBranch(cwd),
    ...(catalogue.list().length > 0 && { catalogue }),
    ...(models.choice !== undefined && { model: models.choice.id }),
    ...(tightened.mode !== undefined && { mode: tightened.mode }),
    ...present("search", search),
    ...present("sandbox", files.sandbox.sandbox),
    ...present("compactAt", project.settings.compactAt ?? personal.settings.compactAt),
  };
}

const SEARCH_VARIABLES = ["JINA_API_KEY", "BOCHA_API_KEY", "BRAVE_API_KEY", "TAVILY_API_KEY", "SEARXNG_URL"];

/** What searches the web is loaded only where somebody mentions it. */
async function findSearch(source: SearchSource): Promise<SearchProvider | undefined> {
  const { env, projectEnv, settings } = source;
  const isMentioned = SEARCH_VARIABLES.some((name) => env[name] || projectEnv?.[name]);
  if (!isMentioned && settings === undefined) return undefined;
  return (await import("./web-search.ts")).chooseSearch(source);
}

/** The same without a session: what would be chosen here, and why. Never throws. */
export async function inspectModels(source: ConfigSource): Promise<ModelReport> {
  return findModels(await readFiles(source.cwd, source.home), source);
}

function aboutProxy({ choice, providers }: ModelReport, env: ConfigSource["env"]): readonly string[] {
  const chosen = providers.find(({ provider }) => choice?.id.startsWith(`${provider.id}/`))?.provider;
  if (chosen === undefined || !URL.canParse(chosen.baseUrl)) return [];
  const variable = unusableProxy(new URL(chosen.baseUrl), env);
  if (variable === undefined) return [];
  return [
    `The proxy in ${variable} is not used: only http and https proxies are. Requests to ${chosen.name} go directly.`,
  ];
}

/**
 * Proxies and certificates are the person's: those of a project's `.env` are not looked at. A project may ask for more
 * patience than the person has, not for less: its requests would all be given up.
 */
function toHttp(env: ConfigSource["env"], personal: Settings, project: Settings, home = ""): Http {
  const { caFile } = personal;
  const seconds = (name: "firstByteSeconds" | "stallSeconds", usual: number): number =>
    1000 * Math.max(project[name] ?? 0, personal[name] ?? usual);
  return {
    env,
    firstByteMs: seconds("firstByteSeconds", FIRST_BYTE_SECONDS),
    idleMs: seconds("stallSeconds", STALL_SECONDS),
    ...present("caFile", caFile === undefined || isAbsolute(caFile) ? caFile : join(home, caFile)),
  };
}

const STRICTNESS: Readonly<Record<ModeId, number>> = {
  "full-access": 0,
  "workspace-write": 1,
  "read-only": 2,
  plan: 2,
};

/** A project can only ask for less. */
function tighten(
  personal: ModeId | undefined,
  project: ModeId | undefined,
  path: string,
): { readonly mode?: ModeId | undefined; readonly notices: readonly string[] } {
  if (project === undefined || project === personal) return { mode: personal, notices: [] };
  const difference = STRICTNESS[project] - STRICTNESS[personal ?? defaultMode];
  if (difference > 0) return { mode: project, notices: [] };
  const notice = `${path}: mode ${project} is not used: a project's settings can only make the mode stricter.`;
  return { mode: personal, notices: difference < 0 ? [notice] : [] };
}

function ruleFiles({ cwd, home }: ConfigSource): readonly [string, RuleSource][] {
  return [...(home === undefined ? [] : [ruleFile(home, "user")]), ruleFile(join(cwd, ".agentao"), "project")];
}

function ruleFile(folder: string, scope: RuleSource["scope"]): [string, RuleSource] {
  const path = join(folder, "permissions.json");
  return [path, { source: path, scope }];
}

async function readRules(path: string, source: RuleSource): Promise<ParsedRules> {
  const { text, problem } = await readText(path);
  if (text !== undefined) return (await import("../permission/rule.ts")).parseRules(text, source);
  if (problem === undefined) return { rules: [], problems: [] };
  return { rules: [], problems: [{ source: path, message: `cannot be read: ${problem}`, loosens: true }] };
}

function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Field in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Field in Name]?: Value });
}
