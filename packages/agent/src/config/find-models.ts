// Which models a folder has and which one it begins with: from what was read, and from who answers on this machine.

import { isLoopback } from "../provider/address.ts";
import type { Configured } from "../provider/configure.ts";
import { type Discover, discoverLocal, type LocalServer } from "../provider/discover.ts";
import { type ModelEnvironment, readEnvironment } from "../provider/environment.ts";
import type { ConfigFiles } from "./files.ts";

/** Which model a folder begins with, and everything that was found on the way. */
export interface ModelReport extends ModelEnvironment {
  /** One line. */
  readonly why: string;
  readonly servers: readonly LocalServer[];
  /** Files that were read. */
  readonly files: readonly string[];
  /** What is wrong with them. */
  readonly problems: readonly string[];
}

interface Looking {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly discover?: Discover | undefined;
}

const NO_MODEL =
  "No key and no local server found: this is the scripted demo. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or " +
  "GEMINI_API_KEY, start Ollama, or run agentao init.";

export async function findModels(files: ConfigFiles, { env, discover = discoverLocal }: Looking): Promise<ModelReport> {
  const { personal, project, projectEnv } = files;
  const read = readEnvironment({
    env,
    projectEnv,
    personal: { source: files.personalPath, ...personal.settings },
    project: { source: files.projectPath, ...project.settings },
  });
  const servers = await lookAround(read, isOff(env.AGENTAO_LOCAL_MODELS) ? async () => [] : discover);
  const choice = complete(read.choice, servers);
  return {
    ...read,
    providers: read.providers.map((one) => atServer(one, servers)),
    choice,
    why: choice?.why ?? "scripted/demo because there is no key and no local server",
    servers,
    files: files.read,
    problems: [...files.problems, ...personal.problems, ...project.problems],
  };
}

/** Asked only where nobody chose, or where the one that was chosen has to say which models it has. */
async function lookAround(
  { choice, providers }: ModelEnvironment,
  discover: Discover,
): Promise<readonly LocalServer[]> {
  if (choice === undefined) return discover();
  if (!choice.id.endsWith("/")) return [];
  const one = providers.find(({ provider }) => `${provider.id}/` === choice.id);
  const isHere = one !== undefined && isLoopback(one.provider.baseUrl);
  return isHere ? discover({ id: one.provider.id, baseUrl: one.provider.baseUrl }) : [];
}

function complete(choice: ModelEnvironment["choice"], servers: readonly LocalServer[]): ModelEnvironment["choice"] {
  if (choice !== undefined && !choice.id.endsWith("/")) return choice;
  const server = servers.find(({ models }) => models.length > 0);
  if (server === undefined) return choice === undefined ? undefined : nameless(choice);
  const id = `${server.id}/${server.models[0]?.name}`;
  const because = choice?.because ?? `a local server answers at ${new URL(server.baseUrl).host}`;
  return { id, because, why: `${id} because ${because}` };
}

function atServer(one: Configured, servers: readonly LocalServer[]): Configured {
  const baseUrl = servers.find(({ id }) => id === one.provider.id)?.baseUrl ?? one.provider.baseUrl;
  return { ...one, provider: { ...one.provider, baseUrl } };
}

/** The server does not say which models it has; asked for one, it says what is wrong. */
function nameless({ id, because }: NonNullable<ModelEnvironment["choice"]>): ModelEnvironment["choice"] {
  return { id: `${id}default`, because, why: `${id}default because ${because}` };
}

/** For the first session of a program. */
export function announcement({ choice, servers: [server] }: ModelReport): string {
  if (choice !== undefined) return `Model: ${choice.id} (${choice.because}).`;
  return server === undefined ? NO_MODEL : `${NO_MODEL} (${server.id} answers, but has no model yet.)`;
}

function isOff(word: string | undefined): boolean {
  return /^(0|no|off|false)$/i.test(word?.trim() ?? "");
}
